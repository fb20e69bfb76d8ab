import { randomBytes } from 'node:crypto';
import type { BatchId } from '../../../domain/ingest/digest.ts';
import type { SlotDocument } from '../documents/documents.ts';
import { unconfirmed } from './answers.ts';
import type { BatchCollection, Doc } from '../engine/batch-collections.ts';

/** Batch that this journal may write: slot and number are the mark on all its rows. */
export interface Claim {
  readonly journalId: string;
  readonly slot: number;
  readonly n: number;
  /** Whether another data dir made its plan final, and may have counted it. */
  readonly fixedElsewhere?: boolean;
}

export type ClaimResult = Claim | 'already_applied' | 'foreign';

/** Milliseconds without a heartbeat after which an owner counts as gone; ten times its interval. */
export const OWNER_GONE_MS = 60_000;
/** Milliseconds after which the closed slot of an unused journal may be leased by another one. */
const SLOT_GONE_MS = 7 * 86_400_000;
/** Maximum abandoned numbers stored in a slot, far more than one invalid batch needs. */
const MAX_GIVEN_UP = 512;
const CLAIM_TURNS = 8;

/** Slots with their journals, and the progress of their batches. */
export class Slots {
  readonly #collection: BatchCollection;
  readonly #owner: string;
  readonly #now: () => number;
  /** Slots as last closed by this process: saves the read before the next claim, which compares anyway. */
  readonly #held = new Map<string, SlotDocument>();

  constructor(collection: BatchCollection, owner: string, now: () => number) {
    this.#collection = collection;
    this.#owner = owner;
    this.#now = now;
  }

  /** Returns the slot of a journal as confirmed by a majority; null without one. */
  async find(journalId: string): Promise<SlotDocument | null> {
    const [slot] = await this.#collection.find({ j: journalId }, {}, 'majority');
    return slot === undefined ? null : (slot as unknown as SlotDocument);
  }

  /**
   * Claims a batch's number. Every attempt begins with the state confirmed by a majority. So a claim is valid only
   * after it was read back. A first batch leases a slot before. Throws `store_unavailable`.
   */
  async claim(batchId: BatchId): Promise<ClaimResult> {
    const { journalId, n, hash } = batchId;
    for (let turn = 0; turn < CLAIM_TURNS; turn += 1) {
      const held = this.#held.get(journalId);
      this.#held.delete(journalId);
      const slot = held?.l === n - 1 ? held : await this.find(journalId);
      if (slot === null) {
        if (n !== 1) {
          return 'foreign';
        }
        await this.#lease(journalId);
        continue;
      }
      if (slot.o !== this.#owner) {
        const same = slot.l === n && slot.h === hash;
        if (same && !slot.open) {
          return 'already_applied';
        }
        // An older copy must not take the slot from the data dir that can complete its batch.
        if (slot.open ? !same : slot.l + 1 !== n) {
          return 'foreign';
        }
        if (slot.seen > this.#now() - OWNER_GONE_MS) {
          if (!slot.open) {
            return 'foreign';
          }
          // Its owner completes it or times out soon; a new start would leave the batch half counted.
          throw unconfirmed('another data dir has claimed the same batch');
        }
        await this.#change({ _id: slot._id, j: journalId, o: slot.o, seen: slot.seen, n: slot.n }, {});
        continue;
      }
      if (slot.l === n) {
        if (slot.h !== hash) {
          return 'foreign';
        }
        if (!slot.open) return 'already_applied';
        return { journalId, slot: slot._id, n: slot.n, fixedElsewhere: this.#isFixedElsewhere(slot) };
      }
      if (slot.l + 1 !== n || slot.open) {
        return 'foreign';
      }
      await this.#change(
        { _id: slot._id, j: journalId, o: slot.o, n: slot.n, l: slot.l, open: false },
        { n: slot.n + 1, l: n, h: hash, open: true, fixed: false, by: '' },
      );
    }
    throw unconfirmed('the claim does not hold');
  }

  /**
   * Makes the batch's plan final: `abandon` is refused from now on, also from a delayed command. Safe to repeat; throws
   * `store_unavailable` when the claim is lost.
   */
  async fix(claim: Claim): Promise<void> {
    const { journalId, slot, n } = claim;
    const filter = { _id: slot, j: journalId, o: this.#owner, n, open: true };
    const by = `${this.#owner}/${randomBytes(8).toString('hex')}`;
    if ((await this.#change(filter, { fixed: true, by })) === null) {
      throw unconfirmed('another gateway took the claim');
    }
  }

  /** Marks the batch as applied. Safe to repeat. */
  async close(claim: Claim): Promise<void> {
    const { journalId, slot, n } = claim;
    const closed =
      (await this.#change({ _id: slot, j: journalId, o: this.#owner, n, open: true }, { open: false })) ??
      (await this.find(journalId));
    if (closed?.n !== n || closed.open) {
      throw unconfirmed('another gateway took the claim');
    }
    this.#held.set(journalId, closed);
  }

  /**
   * Abandons the number of a batch that the database refuses permanently, before anything was counted under it. The
   * batch is applied again with other members; rows with this number are ownerless.
   */
  async abandon(claim: Claim): Promise<void> {
    await this.#abandon(claim, { fixed: false });
  }

  /**
   * Abandons a batch with unreadable records, as it was `found`; it is applied again with fewer members. The caller
   * knows that no plan of it became durable here. Returns false, without a change, when another data dir made its own
   * plan final: writes may have been counted.
   */
  async abandonTorn(claim: Claim, found: SlotDocument): Promise<boolean> {
    const { fixed, by } = found;
    if (this.#isFixedElsewhere(found)) return false;
    // Requires the slot as it was found: a delayed command must not abandon a batch that was made final since.
    await this.#abandon(claim, fixed ? { fixed, by } : { fixed });
    return true;
  }

  #isFixedElsewhere({ fixed, by }: SlotDocument): boolean {
    return fixed && by?.startsWith(`${this.#owner}/`) !== true;
  }

  async #abandon({ journalId, slot, n }: Claim, only: Doc): Promise<void> {
    const $set = { seen: this.#now(), fixed: false };
    const answer = await this.#collection.findOneAndUpdate(
      { _id: slot, j: journalId, o: this.#owner, n, open: true, ...only },
      { $inc: { n: 1 }, $push: { x: { $each: [n], $slice: -MAX_GIVEN_UP } }, $set },
      false,
    );
    if (answer === null || answer === 'duplicate') {
      throw unconfirmed('another gateway took the claim');
    }
  }

  /** Returns the abandoned ones of the given marks, as `slot n`. */
  async givenUp(marks: readonly { readonly s: number; readonly n: number }[]): Promise<Set<string>> {
    const slots = [...new Set(marks.map(({ s }) => s))];
    const found = await this.#collection.find({ _id: { $in: slots } }, { x: 1 }, 'majority');
    const all = new Set<string>();
    for (const slot of found as unknown as Pick<SlotDocument, '_id' | 'x'>[]) {
      slot.x.forEach((n) => all.add(`${slot._id} ${n}`));
    }
    return all;
  }

  /** Sends a heartbeat of the owner of these journals. */
  async touch(journalIds: readonly string[]): Promise<void> {
    await this.#collection.updateMany({ j: { $in: journalIds }, o: this.#owner }, { $max: { seen: this.#now() } });
  }

  /** Marks the owner of these journals as stopped in order; later heartbeats count again. */
  async rest(journalIds: readonly string[]): Promise<void> {
    await this.#collection.updateMany({ j: { $in: journalIds }, o: this.#owner }, { $set: { off: this.#now() } });
  }

  /**
   * Frees the slot of a finished journal; true when it has none. Returns false, without a change, while its newest
   * batch is not confirmed.
   */
  async release(journalId: string): Promise<boolean> {
    const answer = await this.#collection.findOneAndUpdate({ j: journalId, open: false }, { $unset: { j: '' } }, false);
    return answer !== null || (await this.find(journalId)) === null;
  }

  /** Gives the journal a free slot, one of an unused journal, or a new one. The next attempt detects lost races. */
  async #lease(journalId: string): Promise<void> {
    const slots = (await this.#collection.find({}, {}, 'majority')) as unknown as SlotDocument[];
    const gone = this.#now() - SLOT_GONE_MS;
    const usable = slots
      .filter(({ j, open, seen }) => j === undefined || (!open && seen < gone))
      .sort((a, b) => Number(a.j !== undefined) - Number(b.j !== undefined) || a._id - b._id)[0];
    const fresh = { l: 0, h: '', open: false, fixed: false, j: journalId };
    if (usable !== undefined) {
      const { _id, j, n, seen } = usable;
      const filter = { _id, n, seen, open: false, j: j ?? { $exists: false } };
      await this.#change(filter, fresh);
      return;
    }
    const _id = Math.max(0, ...slots.map((slot) => slot._id)) + 1;
    const slot = { _id, ...fresh, n: 0, x: [], o: this.#owner, seen: this.#now() };
    const answer = await this.#collection.insertMany([slot]);
    if (answer.writeConcernError !== null || answer.writeErrors.some(({ code }) => code !== 11000)) {
      throw unconfirmed(answer.writeConcernError ?? 'a slot was refused');
    }
  }

  /** Sets members of the one matching slot, and this process as its running owner; null when none matched. */
  async #change(filter: Doc, members: Doc): Promise<SlotDocument | null> {
    const update = { $set: { ...members, o: this.#owner, seen: this.#now() } };
    const answer = await this.#collection.findOneAndUpdate(filter, update, false);
    return answer === 'duplicate' ? null : (answer as SlotDocument | null);
  }
}
