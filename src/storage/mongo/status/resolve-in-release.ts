import type { ResolvedInCommit } from '../../../domain/ports/stores/release-store.ts';
import { requireBulkStep } from '../../errors/bulk-step.ts';
import { STATUS_CODES } from '../../errors/error-status.ts';
import { namedByRelease, type NamedByRelease } from '../../state/named-by-release.ts';
import { writeErrors, type ErrorUpdate } from './triage-commands.ts';
import type { MongoContext } from '../engine/context.ts';
import type { Binary } from '../documents/document-keys.ts';
import { logged } from '../updates/status-members.ts';
import { loadGroups } from '../errors/error-groups.ts';

const RESOLVED = STATUS_CODES.resolved;

/** Changes own details, also of an error that was merged or separated meanwhile. */
function ownDetails(_id: Binary, { from, to }: NamedByRelease, log = {}): ErrorUpdate {
  return { _id, filter: { st: RESOLVED, det: from }, update: { $set: { det: to }, ...log } };
}

/**
 * Writes members first and the roots last: an interrupted call leaves the root as it was, so that the next one repeats
 * it. Each filter finds a document only with the details that are replaced. See the port.
 */
export async function resolveInRelease(
  context: MongoContext,
  p: number,
  errors: readonly ResolvedInCommit[],
  release: string,
  now: number,
): Promise<number> {
  const ids = errors.map(({ errorId }) => errorId);
  requireBulkStep(ids);
  const asked = new Map(errors.map((error) => [error.errorId, namedByRelease(error, release, now)]));
  const groups = await loadGroups<'st' | 'det'>(context, p, ids, { st: 1, det: 1 });
  const followers: ErrorUpdate[] = [];
  const changed: ErrorUpdate[] = [];
  for (const { root, members } of groups) {
    const given = members.flatMap(({ _id, id }) => {
      const change = asked.get(String(id));
      return change === undefined ? [] : [{ _id, id, change }];
    });
    // An error that was merged may be asked for by its former number.
    const shown = given.find(({ change }) => root.st === RESOLVED && root.det === change.from)?.change;
    for (const { _id, id, change } of given) {
      if (id !== root.id && change.from !== shown?.from) changed.push(ownDetails(_id, change));
    }
    if (shown === undefined) continue;
    changed.push(ownDetails(root._id, shown, logged(shown.entry)));
    for (const { _id, id, into } of members) {
      if (id === root.id) continue;
      followers.push({ _id, filter: { into, rdet: shown.from }, update: { $set: { rdet: shown.to } } });
      followers.push(ownDetails(_id, shown));
    }
  }
  await writeErrors(context, p, followers, 'errors.set_statuses');
  return writeErrors(context, p, changed, 'errors.set_statuses');
}
