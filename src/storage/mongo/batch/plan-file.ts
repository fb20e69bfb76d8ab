import { join } from 'node:path';
import { mongo } from 'mongoose';
import type { JournalFiles } from '../../../domain/ports/journal-files.ts';
import { GUARDED, type GuardedName, type Plan } from './plan.ts';
import type { PlannedWrite } from './planned-write.ts';
import type { Claim } from './slots.ts';

/** What plans need of the file system; `replace` must survive a power cut. */
export type PlanFiles = Pick<JournalFiles, 'makeDir' | 'readAll' | 'replace' | 'remove'>;

const FORMAT = 1;

interface Head {
  readonly format: number;
  readonly slot: number;
  readonly n: number;
  readonly stored: number;
  readonly duplicates: number;
  /** Writes per collection, in the order in which they follow. */
  readonly counts: Readonly<Partial<Record<GuardedName, number>>>;
}

/** The plan of each journal's open batch: one file of BSON documents, a head and then one per write. */
export class PlanStore {
  readonly #files: PlanFiles;
  readonly #dir: string;
  #made = false;

  constructor(files: PlanFiles, dir: string) {
    this.#files = files;
    this.#dir = dir;
  }

  /** The plan of this very claim; null when there is none, or one of another batch. */
  async read(claim: Claim): Promise<Plan | null> {
    const content = await this.#files.readAll(this.#path(claim.journalId));
    return content === null ? null : decodePlan(claim, content);
  }

  /** Afterwards the plan survives a power cut. */
  async write(claim: Claim, plan: Plan): Promise<void> {
    if (!this.#made) {
      await this.#files.makeDir(this.#dir);
      this.#made = true;
    }
    await this.#files.replace(this.#path(claim.journalId), encodePlan(claim, plan));
  }

  async remove(journalId: string): Promise<void> {
    await this.#files.remove(this.#path(journalId));
  }

  #path(journalId: string): string {
    return join(this.#dir, `${journalId}.plan`);
  }
}

export function encodePlan({ slot, n }: Claim, plan: Plan): Uint8Array {
  const { writes, stored, duplicates } = plan;
  const counts = Object.fromEntries(GUARDED.map((name) => [name, writes[name].length])) as Head['counts'];
  const head: Head = { format: FORMAT, slot, n, stored, duplicates, counts };
  const parts = [mongo.BSON.serialize(head)];
  for (const name of GUARDED) {
    for (const write of writes[name]) {
      parts.push(mongo.BSON.serialize(write));
    }
  }
  return Buffer.concat(parts);
}

function decodePlan(claim: Claim, content: Buffer): Plan | null {
  const documents = documentsIn(content);
  const head = documents.next().value as Head | undefined;
  if (head?.format !== FORMAT || head.slot !== claim.slot || head.n !== claim.n) {
    return null;
  }
  // An older program may have written the plan and known fewer collections.
  const take = (name: GuardedName) =>
    Array.from({ length: head.counts[name] ?? 0 }, () => documents.next().value as unknown as PlannedWrite);
  const writes = {
    errors: take('errors'),
    errorHours: take('errorHours'),
    errorTags: take('errorTags'),
    outcomes: take('outcomes'),
    releases: take('releases'),
    releaseHours: take('releaseHours'),
    eventReports: take('eventReports'),
  };
  return { stored: head.stored, duplicates: head.duplicates, writes };
}

function* documentsIn(content: Buffer): Generator<mongo.BSON.Document, undefined> {
  for (let at = 0; at < content.length;) {
    const end = at + content.readInt32LE(at);
    yield mongo.BSON.deserialize(content.subarray(at, end));
    at = end;
  }
  return undefined;
}
