import type { JournalPosition } from './segment.ts';

/** Milliseconds within which commits share an entry, so that a backlog of hours stays small. */
const STEP_MS = 1000;

interface Entry {
  readonly segment: number;
  /** End offset that the entry covers. */
  end: number;
  readonly receivedAt: number;
}

/** Tracks the receipt time of the oldest undigested record, to within a second. */
export class WaitingAges {
  readonly #entries: Entry[] = [];
  #first = 0;

  /** Records a commit up to `end` of the segment; `receivedAt`: milliseconds of its first record. */
  add(segment: number, end: number, receivedAt: number): void {
    const last = this.#entries.at(-1);
    if (last?.segment === segment && receivedAt - last.receivedAt < STEP_MS && this.#entries.length > this.#first) {
      last.end = end;
    } else {
      this.#entries.push({ segment, end, receivedAt });
    }
  }

  /** Drops entries before the position, which are digested. */
  digestedUpTo(position: JournalPosition): void {
    for (let entry = this.#entries[this.#first]; entry !== undefined; entry = this.#entries[this.#first]) {
      const done =
        entry.segment < position.segment || (entry.segment === position.segment && entry.end <= position.offset);
      if (!done) {
        break;
      }
      this.#first += 1;
    }
    if (this.#first > 1000 || this.#first === this.#entries.length) {
      this.#entries.splice(0, this.#first);
      this.#first = 0;
    }
  }

  /** Receipt time, milliseconds since the epoch; null when nothing waits. */
  oldest(): number | null {
    return this.#entries[this.#first]?.receivedAt ?? null;
  }
}
