import type { TrackedError } from '../../api/errors-api.ts';
import { visibleExcerpt } from '../../lib/visible-text.ts';

const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'long', year: 'numeric' });

/** Maximum characters of a release or a commit. */
const MAX_SHOWN = 64;

/** Says the status of an error and what it waits for: `resolved in 1.4.2`, `ignored until 3 December 2026`. */
export function statusText({
  status,
  status_details: details,
}: Pick<TrackedError, 'status' | 'status_details'>): string {
  const waits = details ?? {};
  if (status === 'resolved') {
    const by = commitText(waits.inCommit);
    if (waits.inRelease === 'latest') return 'resolved in the newest release';
    if (waits.inRelease !== undefined) return `resolved in ${visibleExcerpt(waits.inRelease, MAX_SHOWN)}${by}`;
    if (waits.inNextRelease === true) {
      const { afterRelease = null } = waits;
      const after = afterRelease === null ? '' : ` after ${visibleExcerpt(afterRelease, MAX_SHOWN)}`;
      return `resolved in the next release${after}`;
    }
    if (by !== '') return `resolved${by}`;
  }
  if (status !== 'ignored') return status;
  const conditions = [
    waits.ignoreUntil === undefined ? null : DAY.format(new Date(waits.ignoreUntil)),
    waits.ignoreCount === undefined ? null : more(waits.ignoreCount, 'event'),
    waits.ignoreUserCount === undefined ? null : more(waits.ignoreUserCount, 'user'),
  ].filter((condition) => condition !== null);
  return conditions.length === 0 ? 'ignored' : `ignored until ${conditions.join(' or ')}`;
}

/** `statusText` as a label or a message begins: `Resolved in 1.4.2`. */
export function statusLabel(error: Parameters<typeof statusText>[0]): string {
  const text = statusText(error);
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Says by which commit, with a space before; empty: by none. */
function commitText(inCommit: NonNullable<TrackedError['status_details']>['inCommit']): string {
  if (inCommit === undefined) return '';
  const { commit, repository = null } = inCommit;
  const of = repository === null ? '' : ` of ${visibleExcerpt(repository, MAX_SHOWN)}`;
  return ` by ${visibleExcerpt(commit, 12)}${of}`;
}

function more(count: number, what: string): string {
  return `${count.toLocaleString('en')} more ${what}${count === 1 ? '' : 's'}`;
}
