import type { ResolvedInCommit } from '../../../domain/ports/release-store.ts';
import { STATUS_CODES } from '../../error-status.ts';
import { namedByRelease } from '../../state/named-by-release.ts';
import { writeErrors, type ErrorUpdate } from '../commands/triage-commands.ts';
import type { MongoContext } from '../context.ts';
import { logged } from '../status-members.ts';
import { groupsOf } from '../views/error-groups.ts';
import { requireBulkStep } from '../../bulk-step.ts';

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
  const asked = new Map(errors.map((error) => [error.errorId, error]));
  const groups = await groupsOf<'st' | 'det'>(context, p, ids, { st: 1, det: 1 });
  const st = STATUS_CODES.resolved;
  const roots: ErrorUpdate[] = [];
  const members: ErrorUpdate[] = [];
  for (const { root, members: all } of groups) {
    // An error that was merged is asked for by its former number.
    const error = all.map(({ id }) => asked.get(String(id))).find((each) => each !== undefined);
    if (error === undefined) continue;
    const { from, to, entry } = namedByRelease(error, release, now);
    if (root.st !== st || root.det !== from) continue;
    roots.push({ _id: root._id, filter: { st, det: from }, update: { $set: { det: to }, ...logged(entry) } });
    for (const { _id, id, into } of all) {
      if (id === root.id) continue;
      members.push({ _id, filter: { into, rdet: from }, update: { $set: { rdet: to } } });
      members.push({ _id, filter: { into, st, det: from }, update: { $set: { det: to } } });
    }
  }
  await writeErrors(context, p, members, 'errors.set_statuses');
  return writeErrors(context, p, roots, 'errors.set_statuses');
}
