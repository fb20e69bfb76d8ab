import { underKnownGroupHash, type AliasTarget } from '../../errors/former-group-hashes.ts';
import { IMPORTED_GROUPING_VERSION } from '../../imports/imported-group-hash.ts';
import { errorKey, hexBinary } from '../documents/document-keys.ts';
import type { ErrorDocument } from '../documents/error-documents.ts';
import type { GroupAliasDocument } from '../documents/import-documents.ts';
import { allDone } from './all-done.ts';
import type { BatchCollections } from '../engine/batch-collections.ts';
import { findKeys, type Keyed } from './key-filters.ts';
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
 * errors, and those with former group hashes.
 */
export async function underKnownGroupHashes(
  prepared: readonly PreparedEvent[],
  { collections, projects, knownErrors }: GroupHashOptions,
): Promise<readonly PreparedEvent[]> {
  const wanted = new Map<string, number>();
  for (const { event } of prepared) {
    const { formerGroupHashes = [], groupHash, projectId } = event;
    const imports = projects.get(projectId)?.imports === true;
    if (formerGroupHashes.length === 0 && (!imports || knownErrors.has(groupHash))) continue;
    wanted.set(groupHash, projectId);
    formerGroupHashes.forEach((former) => wanted.set(former.groupHash, projectId));
  }
  if (wanted.size === 0) return prepared;
  const keys = [...wanted].map(([groupHash, p]) => ({ _id: errorKey(p, groupHash), p }));
  const aliased = keys.filter(({ p }) => projects.get(p)?.imports === true);
  const [errors, aliases] = await allDone([
    numbersOf(keys, collections),
    findKeys(collections.groupAliases, aliased, { p: 1, l: 1, end: 1 }),
  ]);
  const leading = aliases.filter(({ end }) => end === null) as unknown as Alias[];
  const targetOf = ({ p, l }: Alias) => errorKey(p, hex(l));
  const numberIn = (p: number, groupHash: string) =>
    errors.get(hex(errorKey(p, groupHash))) ?? (knownErrors.has(groupHash) ? 0 : undefined);
  // Numbers of imported errors matter only where an event may have two of them, which is rare.
  const active = new Set(leading.map(({ _id }) => hex(_id)));
  const compared = prepared.some(
    ({ event: { formerGroupHashes, groupHash, projectId } }) =>
      formerGroupHashes !== undefined && active.has(hex(errorKey(projectId, groupHash))),
  );
  const targets = compared ? leading.map((alias) => ({ _id: targetOf(alias), p: alias.p })) : [];
  const imported = await numbersOf(targets, collections);
  const leadsTo = new Map(
    leading.map((alias): [string, AliasTarget] => {
      const number = imported.get(hex(targetOf(alias))) ?? Infinity;
      return [hex(alias._id), { groupHash: hex(alias.l), groupingVersion: IMPORTED_GROUPING_VERSION, number }];
    }),
  );
  return prepared.map((each) => {
    const { event, document } = each;
    const { projectId } = event;
    const counted = underKnownGroupHash(event, {
      numberOf: (groupHash) => numberIn(projectId, groupHash),
      aliasOf: (groupHash) => leadsTo.get(hex(errorKey(projectId, groupHash))),
    });
    if (counted === event) return each;
    const { groupHash, groupingVersion } = counted;
    return { event: counted, document: { ...document, l: hexBinary(groupHash), v: groupingVersion } };
  });
}

type Alias = Pick<GroupAliasDocument, '_id' | 'p' | 'l'>;

/** Returns the numbers of existing errors, by their keys as hex. */
async function numbersOf(
  keys: readonly Keyed[],
  { errors }: GroupHashOptions['collections'],
): Promise<ReadonlyMap<string, number>> {
  if (keys.length === 0) return new Map();
  const found = (await findKeys(errors, keys, { id: 1 })) as unknown as Pick<ErrorDocument, '_id' | 'id'>[];
  return new Map(found.map(({ _id, id }) => [hex(_id), id]));
}
