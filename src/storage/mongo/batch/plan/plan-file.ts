import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { mongo } from 'mongoose';
import type { JournalFiles } from '../../../../domain/ports/journal-files.ts';
import { foldedTerm } from '../../documents/tag-terms.ts';
import { GUARDED, type GuardedName, type Plan } from './plan.ts';
import type { PlannedWrite } from '../../engine/planned-write.ts';
import type { Claim } from '../slots.ts';

/** File system functions for plans; `replace` must survive a power cut. */
export type PlanFiles = Pick<JournalFiles, 'makeDir' | 'readAll' | 'replace' | 'remove'>;

const FORMAT = 1;

interface Head {
  readonly format: number;
  readonly slot: number;
  readonly n: number;
  readonly stored: number;
  readonly duplicates: number;
  /** Number of writes per collection, in their order. */
  readonly counts: Readonly<Partial<Record<GuardedName, number>>>;
}

/** Head as written. The CRC-32 covers its other members and everything behind it; older versions wrote none. */
interface CheckedHead extends Head {
  readonly crc?: number;
}

/** Stores the plan of each journal's open batch: one file of BSON documents, a head and then one per write. */
export class PlanStore {
  readonly #files: PlanFiles;
  readonly #dir: string;
  #made = false;
  /** Claim whose plan is known to survive a power cut, by journal. */
  readonly #durable = new Map<string, string>();

  constructor(files: PlanFiles, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  /**
   * Reads the plan of this claim; null when there is none, or one of another batch. `damaged`: the file is unreadable,
   * so it may or may not belong to this claim. A returned plan survives a power cut.
   */
  async read(claim: Claim): Promise<Plan | 'damaged' | null> {
    const content = await this.#files.readAll(this.#path(claim.journalId));
    const plan = content === null ? null : decodePlan(claim, content);
    // A killed process may have left the file unsynced.
    const isPlan = content !== null && plan !== null && plan !== 'damaged';
    if (isPlan && this.#durable.get(claim.journalId) !== nameOf(claim)) await this.#keep(claim, content);
    return plan;
  }

  /** Writes a plan; it then survives a power cut. */
  async write(claim: Claim, plan: Plan): Promise<void> {
    if (!this.#made) {
      await this.#files.makeDir(this.#dir);
      this.#made = true;
    }
    await this.#keep(claim, encodePlan(claim, plan));
  }

  async remove(journalId: string): Promise<void> {
    this.#durable.delete(journalId);
    await this.#files.remove(this.#path(journalId));
  }

  async #keep(claim: Claim, content: Uint8Array): Promise<void> {
    this.#durable.delete(claim.journalId);
    await this.#files.replace(this.#path(claim.journalId), content);
    this.#durable.set(claim.journalId, nameOf(claim));
  }

  #path(journalId: string): string {
    return join(this.#dir, `${journalId}.plan`);
  }
}

function nameOf({ slot, n }: Claim): string {
  return `${slot} ${n}`;
}

export function encodePlan({ slot, n }: Claim, plan: Plan): Uint8Array {
  const { writes, stored, duplicates } = plan;
  const counts = Object.fromEntries(GUARDED.map((name) => [name, writes[name].length])) as Head['counts'];
  const parts = GUARDED.flatMap((name) => writes[name].map((write) => mongo.BSON.serialize(write)));
  const head: Head = { format: FORMAT, slot, n, stored, duplicates, counts };
  const checked: CheckedHead = { ...head, crc: checksum(head, parts) };
  return Buffer.concat([mongo.BSON.serialize(checked), ...parts]);
}

function checksum(head: Head, parts: readonly Uint8Array[]): number {
  return parts.reduce((sum, part) => crc32(part, sum), crc32(mongo.BSON.serialize(head)));
}

function decodePlan(claim: Claim, content: Buffer): Plan | 'damaged' | null {
  try {
    const end = content.readInt32LE(0);
    const { crc, ...head } = mongo.BSON.deserialize(content.subarray(0, end)) as unknown as CheckedHead;
    const rest = content.subarray(end);
    if (head.format !== FORMAT || (crc !== undefined && crc !== checksum(head, [rest]))) return 'damaged';
    return head.slot === claim.slot && head.n === claim.n ? planBehind(head, rest) : null;
  } catch {
    return 'damaged';
  }
}

function planBehind(head: Head, content: Buffer): Plan {
  const documents = documentsIn(content);
  // An older version may have written the plan, with fewer collections.
  const take = (name: GuardedName) =>
    Array.from({ length: head.counts[name] ?? 0 }, () => {
      const { value } = documents.next();
      if (value === undefined) throw new Error('a plan that was cut short');
      return value as unknown as PlannedWrite;
    });
  const writes = {
    errors: take('errors'),
    errorHours: take('errorHours'),
    errorTags: take('errorTags').map(withFoldedTerms),
    outcomes: take('outcomes'),
    releases: take('releases'),
    releaseHours: take('releaseHours'),
    eventReports: take('eventReports'),
  };
  return { stored: head.stored, duplicates: head.duplicates, writes };
}

/** Earlier versions planned terms of tags with their case. */
function withFoldedTerms(write: PlannedWrite): PlannedWrite {
  const fresh = write.update.$addToSet as { readonly x: { readonly $each: readonly string[] } } | undefined;
  if (fresh === undefined) return write;
  return { ...write, update: { ...write.update, $addToSet: { x: { $each: fresh.x.$each.map(foldedTerm) } } } };
}

function* documentsIn(content: Buffer): Generator<mongo.BSON.Document, undefined> {
  for (let at = 0; at < content.length;) {
    const end = at + content.readInt32LE(at);
    yield mongo.BSON.deserialize(content.subarray(at, end));
    at = end;
  }
  return undefined;
}
