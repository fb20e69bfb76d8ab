import type { GroupHash } from '../../../domain/digest.ts';
import { underKnownGroupHash } from '../../former-group-hashes.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imported-group-hash.ts';
import { errorKey, hexBinary, type Binary } from '../document-keys.ts';
import { allDone } from './all-done.ts';
import type { BatchCollections } from './batch-collections.ts';
import { findKeys } from './key-filters.ts';
import type { KnownProjects } from './known-projects.ts';
import type { KnownRows } from './known-rows.ts';
import { hex } from './marked-rows.ts';
import type { PreparedEvent } from './prepared-events.ts';

export interface GroupHashOptions {
  readonly collections: Pick<BatchCollections, 'errors' | 'groupAliases'>;
  readonly projects: KnownProjects;
  /** Group hashes that have an error of their own, which they keep. */
  readonly knownErrors: KnownRows;
}

/**
 * Returns the events under the group hashes that count them. Looks up those of new errors of projects with imported
 * errors, and those with former group hashes; none that is known to have an error.
 */
export async function underKnownGroupHashes(
  prepared: readonly PreparedEvent[],
  { collections, projects, knownErrors }: GroupHashOptions,
): Promise<readonly PreparedEvent[]> {
  const wanted = new Map<string, number>();
  for (const { event } of prepared) {
    const { formerGroupHashes = [], groupHash, projectId } = event;
    const imports = projects.get(projectId)?.imports === true;
    if ((!imports && formerGroupHashes.length === 0) || knownErrors.has(groupHash)) continue;
    wanted.set(groupHash, projectId);
    formerGroupHashes.forEach((former) => wanted.set(former.groupHash, projectId));
  }
  if (wanted.size === 0) return prepared;
  const keys = [...wanted].map(([groupHash, p]) => ({ _id: errorKey(p, groupHash), p }));
  const aliased = keys.filter(({ p }) => projects.get(p)?.imports === true);
  const [errors, aliases] = await allDone([
    findKeys(collections.errors, keys, { _id: 1 }),
    findKeys(collections.groupAliases, aliased, { l: 1, end: 1 }),
  ]);
  const own = new Set(errors.map(({ _id }) => hex(_id as Binary)));
  const leadsTo = new Map<string, GroupHash>();
  for (const { _id, l, end } of aliases) {
    if (end !== null) continue;
    leadsTo.set(hex(_id as Binary), { groupHash: hex(l as Binary), groupingVersion: IMPORTED_GROUPING_VERSION });
  }
  return prepared.map((each) => {
    const { event, document } = each;
    const { projectId } = event;
    const nameOf = (groupHash: string) => hex(errorKey(projectId, groupHash));
    const counted = underKnownGroupHash(
      event,
      (groupHash) => knownErrors.has(groupHash) || own.has(nameOf(groupHash)),
      (groupHash) => leadsTo.get(nameOf(groupHash)),
    );
    if (counted === event) return each;
    const { groupHash, groupingVersion } = counted;
    return { event: counted, document: { ...document, l: hexBinary(groupHash), v: groupingVersion } };
  });
}
