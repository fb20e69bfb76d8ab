import { join } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import type { DigestedBatch } from '../../domain/digest.ts';
import type { BatchStore } from '../../domain/ports/batch-store.ts';
import type { JournalFiles } from '../../domain/ports/journal-files.ts';
import { addDigested, emptyBatch, type DigestRecord } from '../digest/digested-record.ts';
import { beginBatchHash, endBatchHash } from '../digest/loop/batch-hash.ts';
import { mayContinue } from '../digest/loop/recover-manifest.ts';
import { decodeRecord } from '../intake/journal/record-frame.ts';
import { newJournalId } from '../intake/journal/manifest-log.ts';
import { describeError, listQuarantine, readQuarantine, writeQuarantine } from './quarantine-file.ts';
import type { QuarantineReason } from './quarantine-file.ts';

export interface ReplayOptions {
  readonly files: JournalFiles;
  /** The quarantine's directory. */
  readonly dir: string;
  readonly store: BatchStore;
  readonly digest: DigestRecord;
  /** Keeps other replays of the directory out until the answer is called; null: one is running. */
  lock(): (() => void) | null;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ReplayResult {
  /** In the store now, and gone from the quarantine. */
  readonly replayed: number;
  /** Of these, the store had the event already. */
  readonly duplicates: number;
  /** Still not digestible; they stay, with the newest error. */
  readonly failed: number;
  /** Damaged pieces of the journal: nothing can read them. */
  readonly damaged: number;
}

/** The journal of replays: one record is one batch. */
interface ReplayState {
  readonly journalId: string;
  readonly n: number;
  /** The entry that is batch `n`, until it is confirmed and removed; null before the first one. */
  readonly name: string | null;
}

const STATE_FILE = 'replay.json';

/**
 * Digests what was set aside once more, for use after a fix. Each record is a batch of a journal of its own,
 * recorded durably before the store sees it, so that an interrupted replay counts nothing twice and can run
 * beside the service. Throws `store_unavailable` when the store is away; what is done by then stays done.
 */
export async function replayQuarantine(options: ReplayOptions): Promise<ReplayResult> {
  const { files, dir, onProgress } = options;
  await files.makeDir(dir);
  const release = options.lock();
  if (release === null) {
    throw new AppError('conflict', 'Another replay of the quarantine is running; wait until it ends.');
  }
  try {
    const replay = new Replay(options, await recover(options));
    const entries = await listQuarantine(files, dir);
    const result = { replayed: 0, duplicates: 0, failed: 0, damaged: 0 };
    for (const [index, entry] of replay.openFirst(entries).entries()) {
      const outcome = entry.reason === 'damaged' ? 'damaged' : await replay.one(entry.name);
      if (outcome === 'duplicate') {
        result.duplicates += 1;
        result.replayed += 1;
      } else if (outcome !== 'gone') {
        result[outcome] += 1;
      }
      onProgress?.(index + 1, entries.length);
    }
    return result;
  } finally {
    release();
  }
}

class Replay {
  readonly #options: ReplayOptions;
  #state: ReplayState;

  constructor(options: ReplayOptions, state: ReplayState) {
    this.#options = options;
    this.#state = state;
  }

  /** An entry that an interrupted replay had begun must come before the others: its mark is taken. */
  openFirst<T extends { readonly name: string }>(entries: readonly T[]): T[] {
    return [...entries].sort((a, b) => Number(b.name === this.#state.name) - Number(a.name === this.#state.name));
  }

  async one(name: string): Promise<'replayed' | 'duplicate' | 'failed' | 'gone'> {
    const { files, dir, digest } = this.#options;
    const read = await readQuarantine(files, dir, name);
    if (read === null) {
      return 'gone';
    }
    const batch = emptyBatch();
    try {
      addDigested(batch, digest(decodeRecord(read.content)));
    } catch (error) {
      return this.#stays(name, 'digest_failed', error);
    }
    try {
      const duplicate = await this.#apply(name, read.content, batch);
      // Should a power cut bring it back, the state file still has its mark; the next entry's state makes it final.
      await files.remove(join(dir, name));
      return duplicate ? 'duplicate' : 'replayed';
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') {
        throw error;
      }
      // Its number is not confirmed; under another id the next record cannot collide with it.
      this.#state = openState();
      return this.#stays(name, 'store_refused', error);
    }
  }

  /** Whether the store had the event already. */
  async #apply(name: string, content: Buffer, batch: DigestedBatch): Promise<boolean> {
    const { files, dir, store } = this.#options;
    for (;;) {
      if (this.#state.name !== name) {
        this.#state = { journalId: this.#state.journalId, n: this.#state.n + 1, name };
        await files.replace(join(dir, STATE_FILE), Buffer.from(JSON.stringify(this.#state)));
      }
      const { journalId, n } = this.#state;
      const hash = endBatchHash(beginBatchHash(journalId, n, name).update(content));
      const result = await store.applyBatch({ journalId, n, hash }, batch);
      if (result.kind !== 'foreign') {
        return result.kind === 'applied' && result.duplicates > 0;
      }
      this.#state = openState();
    }
  }

  async #stays(name: string, reason: QuarantineReason, error: unknown): Promise<'failed'> {
    const { files, dir } = this.#options;
    const read = await readQuarantine(files, dir, name);
    if (read !== null) {
      const { name: _name, bytes: _bytes, ...header } = read.entry;
      await writeQuarantine(files, dir, name, { ...header, reason, error: describeError(error) }, read.content);
    }
    return 'failed';
  }
}

/** A new id whenever the store does not know exactly what the state file says. */
async function recover({ files, dir, store }: ReplayOptions): Promise<ReplayState> {
  const state = parseState(await files.readAll(join(dir, STATE_FILE)));
  if (state === null) {
    return openState();
  }
  // A process that was killed may have left it where only the system has it: nothing is sent under its mark before.
  await files.replace(join(dir, STATE_FILE), Buffer.from(JSON.stringify(state)));
  const last = await store.lastBatch(state.journalId);
  const open = state.name !== null && (await readQuarantine(files, dir, state.name)) !== null;
  return mayContinue(last, { n: state.n, open }) ? state : openState();
}

function parseState(content: Buffer | null): ReplayState | null {
  try {
    return content === null ? null : (JSON.parse(content.toString()) as ReplayState);
  } catch {
    return null;
  }
}

function openState(): ReplayState {
  return { journalId: newJournalId(), n: 0, name: null };
}
