import type { DigestedEvent } from '../../../../domain/ingest/digest.ts';
import { underKnownGroupHash } from '../../../errors/former-group-hashes.ts';
import { errorKey, hexBinary } from '../../documents/document-keys.ts';
import { allDone } from '../all-done.ts';
import type { Continuations } from '../continuations.ts';
import { KnownAliases, type KnownAliasesOptions, type MappedAlias } from './known-aliases.ts';
import { findKeys, type Keyed } from './key-filters.ts';
import type { KnownRows } from './known-rows.ts';
import { hex } from '../marked-rows.ts';
import type { PreparedEvent } from '../prepared-events.ts';

export interface GroupHashOptions extends Omit<KnownAliasesOptions, 'compares'> {
  /** Group hashes that have an error of their own, which they keep. */
  readonly knownErrors: KnownRows;
  readonly continuations: Continuations;
}

/** Returns the number of the error of a group hash; undefined: none has it. */
type NumberIn = (projectId: number, groupHash: string) => number | undefined;

/** Number of an error that an event of the batch begins: younger than all that are stored. */
const BEGUN = Infinity;

/**
 * Returns the events under the group hashes that count them. Looks up those of new errors of projects with aliases, and
 * those with other group hashes than their own. Stores the aliases that mapped events leave, behind the rows by which
 * no other mapped events leave one for what was sent alike.
 */
export async function underKnownGroupHashes(
  prepared: readonly PreparedEvent[],
  options: GroupHashOptions,
): Promise<readonly PreparedEvent[]> {
  const { keys, mayLead } = wantedKeys(prepared, options);
  if (keys.length === 0) return prepared;
  const { collections, continuations, knownErrors } = options;
  const compares = (leading: ReadonlySet<string>) =>
    prepared.some(({ event }) => namesOf(event).filter((name) => leading.has(name)).length > 1);
  const aliases = new KnownAliases({ ...options, compares });
  const [errors] = await allDone([findKeys(collections.errors, keys, { id: 1 }), aliases.read(mayLead)]);
  const numbers = new Map(errors.map(({ _id, id }) => [hex(_id as Keyed['_id']), id as number]));
  const numberIn: NumberIn = (p, groupHash) =>
    numbers.get(hex(errorKey(p, groupHash))) ?? (knownErrors.has(groupHash) ? 0 : undefined);
  // Ends: each turn settles group hashes of the batch for good.
  for (;;) {
    const { events, left } = countedEvents(prepared, numberIn, aliases, continuations);
    if (await continuations.keepWanted()) continue;
    if (left.length === 0) return events;
    // Events of other builds, also earlier ones of the batch, follow the new aliases.
    await aliases.keep(left);
  }
}

/** Returns the keys of group hashes to look up, and those of them that may have an alias. */
function wantedKeys(prepared: readonly PreparedEvent[], { projects, knownErrors }: GroupHashOptions) {
  const keys = new Map<string, Keyed>();
  const mayLead = new Map<string, Keyed>();
  for (const { event } of prepared) {
    const { groupHash, formerGroupHashes = [], sentGroupHashes = [], projectId: p } = event;
    const { imports = false, aliases = false } = projects.get(p) ?? {};
    const isPlain = formerGroupHashes.length === 0 && sentGroupHashes.length === 0;
    if (formerGroupHashes.length === 0 && knownErrors.has(groupHash)) continue;
    if (isPlain && !imports && !aliases) continue;
    for (const [index, each] of [event, ...formerGroupHashes, ...sentGroupHashes].entries()) {
      const key = { _id: errorKey(p, each.groupHash), p };
      const name = hex(key._id);
      keys.set(name, key);
      // Another gateway may leave the first alias of the project just now.
      if (imports || aliases || (index === 0 && sentGroupHashes.length > 0)) mayLead.set(name, key);
    }
  }
  return { keys: [...keys.values()], mayLead: [...mayLead.values()] };
}

function namesOf({ projectId, groupHash, formerGroupHashes = [], sentGroupHashes = [] }: DigestedEvent): string[] {
  const all = [{ groupHash }, ...formerGroupHashes, ...sentGroupHashes];
  return all.length === 1 ? [] : all.map((each) => hex(errorKey(projectId, each.groupHash)));
}

/** Returns the events under the group hashes that count them, and the aliases that are missing. */
function countedEvents(
  prepared: readonly PreparedEvent[],
  numberIn: NumberIn,
  aliases: KnownAliases,
  continuations: Continuations,
) {
  const left = new Map<string, MappedAlias>();
  const begun = new Set<string>();
  const events = prepared.map((each) => {
    const { event, document } = each;
    const { projectId } = event;
    const keyOf = (groupHash: string) => hex(errorKey(projectId, groupHash));
    // An own error that the batch begins gives way to one that a later event of the batch is found by.
    const isBegun = (groupHash: string) => groupHash !== event.groupHash && begun.has(keyOf(groupHash));
    const { event: counted, alias } = underKnownGroupHash(event, {
      numberOf: (groupHash) => numberIn(projectId, groupHash) ?? (isBegun(groupHash) ? BEGUN : undefined),
      aliasOf: (groupHash) => aliases.targetOf(keyOf(groupHash)),
      continuedBy: (sent) => continuations.mappedHashOf(projectId, sent),
    });
    const { groupHash, groupingVersion } = counted;
    if (numberIn(projectId, groupHash) === undefined) begun.add(keyOf(groupHash));
    if (alias !== null && !left.has(keyOf(alias.groupHash)) && aliases.mayKeep(projectId, keyOf(alias.groupHash))) {
      continuations.want({ projectId, groupHash: alias.continues, mappedHash: alias.groupHash });
      left.set(keyOf(alias.groupHash), { ...alias, projectId, target: { groupHash, groupingVersion } });
    }
    if (counted === event) return each;
    return { event: counted, document: { ...document, l: hexBinary(groupHash), v: groupingVersion } };
  });
  return { events, left: [...left.values()] };
}
