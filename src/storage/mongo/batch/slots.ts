import { randomBytes } from 'node:crypto';
import type { BatchId } from '../../../domain/digest.ts';
import type { SlotDocument } from '../documents.ts';
import { unconfirmed } from './answers.ts';
import type { BatchCollection, Doc } from './batch-collections.ts';

/** A batch that this journal may write: slot and number are the mark of everything it makes. */
export interface Claim {
  readonly journalId: string;
  readonly slot: number;
  readonly n: number;
}

export type ClaimResult = Claim | 'already_applied' | 'foreign';

/** An owner that has not said for this long that it lives is gone; owners say it every tenth of that. Milliseconds. */
export const OWNER_GONE_MS = 60_000;
/** A closed slot whose journal was not seen for this long goes to the next journal that needs one. Milliseconds. */
const SLOT_GONE_MS = 7 * 86_400_000;
/** Numbers given up that a slot remembers: far more than one poisonous batch needs to be cut down. */
const MAX_GIVEN_UP = 512;
const CLAIM_TURNS = 8;

/** Who holds which slot, and how far each slot's batches are. */
export class Slots {
  readonly #collection: BatchCollection;
  readonly #owner: string;
  readonly #now: () => number;
  /** Slots as this process closed them last: saves the look before the next claim, which compares anyway. */
  readonly #held = new Map<string, SlotDocument>();

  constructor(collection: BatchCollection, owner: string, now: () => number) {
    this.#collection = collection;
    this.#owner = owner;
    this.#now = now;
  }

  /** The slot of a journal as the majority knows it; null when it holds none. */
  async find(journalId: string): Promise<SlotDocument | null> {
    const [slot] = await this.#collection.find({ j: journalId }, {}, 'majority');
    return slot === undefined ? null : (slot as unknown as SlotDocument);
  }

  /**
   * Takes a batch's number. Every turn begins with what the majority knows, so that a claim is believed only
   * once it was read back; a first batch leases a slot before. Throws `store_unavailable`.
   */
  async claim(mark: BatchId): Promise<ClaimResult> {
    const { journalId, n, hash } = mark;
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
        // A copy that is behind must not take the slot from the data dir that can finish its batch.
        if (slot.open ? !same : slot.l + 1 !== n) {
          return 'foreign';
        }
        if (slot.seen > this.#now() - OWNER_GONE_MS) {
          if (!slot.open) {
            return 'foreign';
          }
          // Either its owner finishes it, or it is gone soon: to begin anew would leave it half counted.
          throw unconfirmed('another data dir holds this very batch');
        }
        await this.#change({ _id: slot._id, j: journalId, o: slot.o, seen: slot.seen, n: slot.n }, {});
        continue;
      }
      if (slot.l === n) {
        if (slot.h !== hash) {
          return 'foreign';
        }
        return slot.open ? { journalId, slot: slot._id, n: slot.n } : 'already_applied';
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
   * From now on the batch's plan holds: it can no longer be given up by `abandon`, also not by a command that was sent
   * before and arrives late. Safe to repeat; throws `store_unavailable` when the claim is not held any more.
   */
  async fix(claim: Claim): Promise<void> {
    const { journalId, slot, n } = claim;
    const filter = { _id: slot, j: journalId, o: this.#owner, n, open: true };
    const by = `${this.#owner}/${randomBytes(8).toString('hex')}`;
    if ((await this.#change(filter, { fixed: true, by })) === null) {
      throw unconfirmed('the claim went to somebody else');
    }
  }

  /** From now on the batch counts as applied. Safe to repeat. */
  async close(claim: Claim): Promise<void> {
    const { journalId, slot, n } = claim;
    const closed =
      (await this.#change({ _id: slot, j: journalId, o: this.#owner, n, open: true }, { open: false })) ??
      (await this.find(journalId));
    if (closed?.n !== n || closed.open) {
      throw unconfirmed('the claim went to somebody else');
    }
    this.#held.set(journalId, closed);
  }

  /**
   * Gives the number of a batch up that the database refuses for good, before anything was counted under it:
   * the batch will come again with other members, and rows that bear this number belong to nobody.
   */
  async abandon(claim: Claim): Promise<void> {
    await this.#abandon(claim, { fixed: false });
  }

  /**
   * The same for a batch that will come again with fewer members because its records can no longer all be read, as it
   * was `found`. The caller knows that no plan of it became durable. False, and nothing is changed, where something may
   * have been counted all the same: another data dir has fixed it, whose plan was elsewhere.
   */
  async abandonTorn(claim: Claim, found: SlotDocument): Promise<boolean> {
    const { fixed, by } = found;
    if (fixed && by?.startsWith(`${this.#owner}/`) !== true) return false;
    // Only as it was found: a command that arrives late must not give up a batch that was fixed since.
    await this.#abandon(claim, fixed ? { fixed, by } : { fixed });
    return true;
  }

  async #abandon({ journalId, slot, n }: Claim, only: Doc): Promise<void> {
    const $set = { seen: this.#now(), fixed: false };
    const answer = await this.#collection.findOneAndUpdate(
      { _id: slot, j: journalId, o: this.#owner, n, open: true, ...only },
      { $inc: { n: 1 }, $push: { x: { $each: [n], $slice: -MAX_GIVEN_UP } }, $set },
      false,
    );
    if (answer === null || answer === 'duplicate') {
      throw unconfirmed('the claim went to somebody else');
    }
  }

  /** Of the given marks those that were given up, as `slot n`. */
  async givenUp(marks: readonly { readonly s: number; readonly n: number }[]): Promise<Set<string>> {
    const slots = [...new Set(marks.map(({ s }) => s))];
    const found = await this.#collection.find({ _id: { $in: slots } }, { x: 1 }, 'majority');
    const all = new Set<string>();
    for (const slot of found as unknown as Pick<SlotDocument, '_id' | 'x'>[]) {
      slot.x.forEach((n) => all.add(`${slot._id} ${n}`));
    }
    return all;
  }

  /** Says that the owner of these journals lives. */
  async touch(journalIds: readonly string[]): Promise<void> {
    await this.#collection.updateMany({ j: { $in: journalIds }, o: this.#owner }, { $max: { seen: this.#now() } });
  }

  /** Says that the owner of these journals has ended in order: what it says from now on counts again. */
  async rest(journalIds: readonly string[]): Promise<void> {
    await this.#collection.updateMany({ j: { $in: journalIds }, o: this.#owner }, { $set: { off: this.#now() } });
  }

  /**
   * Frees the slot of a journal that is done for ever. False, and nothing is changed, while its newest batch
   * is not confirmed; true when it holds none.
   */
  async release(journalId: string): Promise<boolean> {
    const answer = await this.#collection.findOneAndUpdate({ j: journalId, open: false }, { $unset: { j: '' } }, false);
    return answer !== null || (await this.find(journalId)) === null;
  }

  /** Gives the journal a free slot, one whose journal is gone, or a new one. Lost races show in the next turn. */
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

  /** Sets members of the one slot that matches, and that its owner is this one and lives; null when none matched. */
  async #change(filter: Doc, members: Doc): Promise<SlotDocument | null> {
    const update = { $set: { ...members, o: this.#owner, seen: this.#now() } };
    const answer = await this.#collection.findOneAndUpdate(filter, update, false);
    return answer === 'duplicate' ? null : (answer as SlotDocument | null);
  }
}
