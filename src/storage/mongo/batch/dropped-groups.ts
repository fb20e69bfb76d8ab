import { dropOf } from '../../errors/dropped-event.ts';
import { errorKey } from '../documents/document-keys.ts';
import type { DeletedErrorDocument } from '../documents/error-documents.ts';
import { allDone } from './all-done.ts';
import type { BatchCollections } from '../engine/batch-collections.ts';
import type { Continuations } from './continuations.ts';
import { findKeys, type Keyed } from './known/key-filters.ts';
import type { KnownProjects } from './known/known-projects.ts';
import { hex } from './marked-rows.ts';
import type { Plan } from './plan/plan.ts';
import type { PreparedEvent } from './prepared-events.ts';
import type { Claim } from './slots.ts';

/**
 * What becomes of an event. `deleted`: it is deleted with its error, and its key stays. `discarded`: events of its group
 * are dropped. Null: it is counted.
 */
export type Fate = 'deleted' | 'discarded' | null;

type Collections = Pick<BatchCollections, 'deletedErrors' | 'discardedHashes'>;
type Deleted = Pick<DeletedErrorDocument, '_id' | 'w' | 'busy'>;

/**
 * Returns the fate of each event, by the errors that were deleted. Reads nothing for projects in which none was. The
 * events are under the group hashes that count them. Only those of no known error have other group hashes. Stores which
 * mapped events go on with what is dropped as it was sent.
 */
export async function fatesOf(
  grouped: readonly PreparedEvent[],
  projects: KnownProjects,
  claim: Claim,
  collections: Collections,
  continuations: Continuations,
): Promise<(index: number) => Fate> {
  const touched = grouped.some(({ event }) => (projects.get(event.projectId)?.deletions ?? 0) > 0);
  if (!touched) return () => null;
  const keys = new Map<string, Keyed>();
  for (const { event } of grouped) {
    const { projectId: p, formerGroupHashes = [], sentGroupHashes = [] } = event;
    for (const { groupHash } of [event, ...formerGroupHashes, ...sentGroupHashes]) {
      const _id = errorKey(p, groupHash);
      keys.set(hex(_id), { _id, p });
    }
  }
  const [deleted, discarded] = await allDone([
    readDeleted([...keys.values()], claim, collections),
    findKeys(collections.discardedHashes, [...keys.values()], { _id: 1 }, 'local', 'discarded.of_batch'),
  ]);
  const dropped = new Set(discarded.map(({ _id }) => hex(_id as Keyed['_id'])));
  const fateOf = ({ event }: PreparedEvent): Fate => {
    const { projectId, groupHash: mappedHash } = event;
    const keyOf = (groupHash: string) => hex(errorKey(projectId, groupHash));
    if (deleted.has(keyOf(mappedHash))) return 'deleted';
    const drop = dropOf(event, {
      isDropped: (groupHash) => dropped.has(keyOf(groupHash)),
      continuedBy: (sent) => continuations.mappedHashOf(projectId, sent),
    });
    const isThere = projects.has(projectId);
    if (isThere && typeof drop?.continues === 'string') {
      continuations.want({ projectId, groupHash: drop.continues, mappedHash });
    }
    return drop === null ? null : 'discarded';
  };
  for (;;) {
    const fates = grouped.map(fateOf);
    if (!(await continuations.keepWanted())) return (index) => fates[index] ?? null;
  }
}

/**
 * Returns a plan without the writes to errors that were deleted since it was made: the batch belongs to what was deleted.
 * Of its users no rows are left.
 */
export async function withoutDeleted(plan: Plan, claim: Claim, collections: Collections): Promise<Plan> {
  const deleted = await readDeleted(plan.writes.errors, claim, collections);
  if (deleted.size === 0) return plan;
  // Keys of hours begin with that of their error.
  const length = 40;
  const kept = <T extends Keyed>(writes: readonly T[]) =>
    writes.filter(({ _id }) => !deleted.has(hex(_id).slice(0, length)));
  const { errors, errorHours, errorTags } = plan.writes;
  const writes = { errors: kept(errors), errorHours: kept(errorHours), errorTags: kept(errorTags) };
  return { ...plan, writes: { ...plan.writes, ...writes } };
}

/** Returns the keys (as hex) of errors of which this batch may write nothing any more, or not yet. */
async function readDeleted(
  keys: readonly Keyed[],
  { slot, n }: Claim,
  { deletedErrors }: Collections,
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set();
  const projection = { busy: 1, [`w.${slot}`]: 1 };
  const rows = (await findKeys(
    deletedErrors,
    keys,
    projection,
    'majority',
    'deleted_errors.of_batch',
  )) as unknown as Deleted[];
  return new Set(
    rows.filter(({ busy, w = {} }) => busy === 1 || (w[String(slot)] ?? -1) >= n).map(({ _id }) => hex(_id)),
  );
}
