import type { Unmerged } from '../../../domain/errors/tracked-error.ts';
import { parseErrorId } from '../../errors/error-id.ts';
import { requireGroupSize, requireNotRoot, numbersToMerge } from '../../merge/group.ts';
import { RecountLimiter } from '../../merge/recount-limiter.ts';
import { confirmedCollections, unconfirmed } from '../batch/answers.ts';
import type { Keyed } from '../batch/known/key-filters.ts';
import { settleStatuses } from '../batch/settle-statuses.ts';
import type { BatchCollections } from '../engine/batch-collections.ts';
import { endAliasesBetween } from './end-aliases.ts';
import { stepOfSeparated } from '../updates/users-steps.ts';
import { logged } from '../updates/status-members.ts';
import { byNumber, pointingTo, type MemberDocument } from './members.ts';
import { pointTo, rollUp, rollUpAll, update, type RollUpDeps } from './roll-up.ts';

/** Maximum number of attempts when concurrent merges touch the same errors. */
const ATTEMPTS = 5;

/**
 * Merges errors by pointers, without transactions: every step is safe to repeat. The next roll-up completes steps
 * interrupted by a crash. Pointers go to lesser numbers only, so that they never form a cycle.
 */
export class MongoMerges {
  readonly #deps: RollUpDeps;

  constructor(collections: BatchCollections, now: () => number) {
    this.#deps = { collections: confirmedCollections(collections), recounts: new RecountLimiter(), now };
  }

  async merge(p: number, errorIds: readonly string[], userId: number | null = null): Promise<string | null> {
    const numbers = numbersToMerge(errorIds);
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const roots = numbers === null ? null : await this.#rootsOf(p, numbers);
      if (roots === null) return null;
      const pointing = await pointingTo(this.#deps.collections.errors, p, [...roots.keys()]);
      requireGroupSize(new Set([...roots.keys(), ...pointing.map(({ id }) => id)]).size);
      const root = Math.min(...roots.keys());
      roots.delete(root);
      if (roots.size === 0) return String(root);
      if (await this.#point([...roots.values()], pointing, root, userId)) {
        return String(await rollUp(this.#deps, p, root, true));
      }
    }
    throw unconfirmed('another request is merging these errors');
  }

  async unmerge(
    p: number,
    errorId: string,
    errorIds: readonly string[] | null,
    userId: number | null = null,
  ): Promise<Unmerged | null> {
    const asked = parseErrorId(errorId);
    const roots = asked === null ? null : await this.#rootsOf(p, [asked]);
    const [root] = roots?.keys() ?? [];
    const [row] = roots?.values() ?? [];
    if (root === undefined) return null;
    const numbers = errorIds?.map(parseErrorId) ?? (asked === root ? null : [asked]);
    const known = numbers?.filter((id) => id !== null) ?? [];
    if (numbers !== null) {
      const unique = new Set(known);
      const found = await byNumber(this.#deps.collections.errors, p, [...unique]);
      if (known.length < numbers.length || found.length < unique.size) return null;
    }
    requireNotRoot(root, known);
    const members = (await pointingTo(this.#deps.collections.errors, p, [root])).filter(({ id }) => id !== root);
    const leaving = members.filter(({ id }) => numbers === null || numbers.includes(id)).sort((a, b) => a.id - b.id);
    await endAliasesBetween(this.#deps, p, root, leaving, members);
    const entry = (ids: readonly number[]) =>
      logged({ at: this.#deps.now(), kind: 'unmerged', userId, details: { errorIds: ids.map(String) } });
    const alone = { $unset: pointTo(null).$unset, ...entry([root]) };
    await update(this.#deps, [
      ...leaving.map((member) => ({
        filter: { _id: member._id, p, into: root },
        update: { $set: { into: null, ...stepOfSeparated(member) }, ...alone },
        upsert: false,
      })),
      ...(leaving.length === 0 || row === undefined
        ? []
        : [{ filter: { _id: row._id, p }, update: entry(leaving.map(({ id }) => id)), upsert: false }]),
    ]);
    if (leaving.length > 0) await rollUp(this.#deps, p, root, true);
    const separated = leaving.map(({ id, last, c }) => ({ id: String(id), title: last.title, count: c }));
    return { errorId: String(root), separated };
  }

  /** Updates a merged error after its members were changed by other means. */
  async rollUp(p: number, root: number): Promise<void> {
    await rollUp(this.#deps, p, root, true);
  }

  /** Updates a merged error after its members were ranked at a time; does not recount its users. */
  async rankUp(p: number, root: number, now: number): Promise<void> {
    await rollUp(this.#deps, p, root, false, now);
  }

  /** See `settleStatuses`. */
  settleStatuses(documents: readonly Keyed[]): Promise<void> {
    return settleStatuses(this.#deps.collections, documents);
  }

  rollUpAll(): Promise<number> {
    return rollUpAll(this.#deps);
  }

  /** Returns the roots of the numbers, by their own number; null when one is unknown in the project. */
  async #rootsOf(p: number, numbers: readonly number[]): Promise<Map<number, MemberDocument> | null> {
    const roots = new Map<number, MemberDocument>();
    for (let left = new Set(numbers); left.size > 0;) {
      const found = await byNumber(this.#deps.collections.errors, p, [...left]);
      if (found.length < left.size) return null;
      left = new Set();
      for (const row of found) {
        if (row.into === null || row.into === row.id) roots.set(row.id, row);
        else left.add(row.into);
      }
    }
    return roots;
  }

  /** Points roots and their members to the least one; false when one was no root any more. */
  async #point(
    roots: readonly MemberDocument[],
    pointing: readonly MemberDocument[],
    to: number,
    userId: number | null,
  ): Promise<boolean> {
    const ids = new Set(roots.map(({ id }) => id));
    const set = pointTo(to);
    const at = this.#deps.now();
    const matched = await update(
      this.#deps,
      roots.map(({ _id, p, id }) => {
        // Recorded with each merged error, whose log the root shows.
        const details = { errorIds: [String(id)] };
        const entry = logged({ at, kind: 'merged', userId, details });
        const pointed = { ...set, $unset: { ...set.$unset, g: '' }, ...entry };
        return { filter: { _id, p, into: { $in: [null, id] } }, update: pointed, upsert: false };
      }),
    );
    const members = pointing.filter(({ id, into }) => into !== null && id !== into && ids.has(into));
    await update(
      this.#deps,
      members.map(({ _id, p, into }) => ({ filter: { _id, p, into }, update: set, upsert: false })),
    );
    return matched === roots.length;
  }
}
