import { join } from 'node:path';
import { AppError } from '../../domain/app-error.ts';
import type { DigestedBatch } from '../../domain/ingest/digest.ts';
import type { BatchStore } from '../../domain/ports/stores/batch-store.ts';
import type { JournalFiles } from '../../domain/ports/journal-files.ts';
import { GrowingBatch, type DigestMappedRecord } from '../digest/digested-record.ts';
import { mayContinue } from '../digest/loop/recover-manifest.ts';
import { decodeRecord } from '../intake/journal/record-frame.ts';
import { beginBatchHash, endBatchHash, newJournalId } from '../intake/journal/manifest-log.ts';
import { describeError, listQuarantine, readQuarantine, writeQuarantine } from './quarantine-file.ts';
import type { QuarantineReason } from './quarantine-file.ts';

export interface ReplayOptions {
  readonly files: JournalFiles;
  /** Directory of the quarantine. */
  readonly dir: string;
  readonly store: BatchStore;
  readonly digest: DigestMappedRecord;
  /** Locks the directory against other replays until the returned function is called; null: one is running. */
  lock(): (() => void) | null;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface ReplayResult {
  /** Records that are in the store now and removed from the quarantine. */
  readonly replayed: number;
  /** Number of these whose event the store already had. */
  readonly duplicates: number;
  /** Records that still cannot be digested; they stay, with the newest error. */
  readonly failed: number;
  /** Damaged pieces of the journal, which cannot be read. */
  readonly damaged: number;
}

/** State of the journal of replays: one record is one batch. */
interface ReplayState {
  readonly journalId: string;
  readonly n: number;
  /** Entry of batch `n`, until it is confirmed and removed; null before the first one. */
  readonly name: string | null;
}

const STATE_FILE = 'replay.json';

/**
 * Digests the records in the quarantine again, after a fix. Each record is a batch of a separate journal, recorded
 * durably before the store receives it. So an interrupted replay counts nothing twice, and can run beside the service.
 * Throws `store_unavailable`; replayed records stay replayed.
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

  /** Moves the entry of an interrupted replay to the front: its batch id is taken. */
  openFirst<T extends { readonly name: string }>(entries: readonly T[]): T[] {
    return [...entries].sort((a, b) => Number(b.name === this.#state.name) - Number(a.name === this.#state.name));
  }

  async one(name: string): Promise<'replayed' | 'duplicate' | 'failed' | 'gone'> {
    const { files, dir, digest } = this.#options;
    const read = await readQuarantine(files, dir, name);
    if (read === null) {
      return 'gone';
    }
    const batch = new GrowingBatch();
    try {
      batch.add(await digest(decodeRecord(read.content)));
    } catch (error) {
      if (error instanceof AppError && error.code === 'store_unavailable') throw error;
      return this.#stays(name, 'digest_failed', error);
    }
    try {
      const duplicate = await this.#apply(name, read.content, batch.finish());
      // A power cut may bring the file back: the state file still has its batch id. The next entry's state makes the
      // removal final.
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

  /** Applies one record. Returns true when the store already had the event. */
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

/** Reads the state. Uses a new id unless the store has exactly the batch of the state file. */
async function recover({ files, dir, store }: ReplayOptions): Promise<ReplayState> {
  const state = parseState(await files.readAll(join(dir, STATE_FILE)));
  if (state === null) {
    return openState();
  }
  // A killed process may have left the file unsynced. Nothing is sent under its batch id before it is synced.
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
