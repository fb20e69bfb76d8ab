import { existsSync, readFileSync } from 'node:fs';
import { AppError, logFields } from '../domain/app-error.ts';
import type { ProjectProtection } from '../domain/ingest/protection-overrides.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackingStore } from '../domain/ports/stores/tracking-store.ts';
import { replacePrivateFile } from '../lib/private-file.ts';
import { Periodic } from '../lib/periodic.ts';
import { within } from '../lib/within.ts';
import type { Logger } from '../observability/logger.ts';
import { KeySnapshot } from './key-snapshot.ts';

export interface KeyCacheDeps {
  readonly store: Pick<TrackingStore, 'ingestAccess'>;
  /** File that persists the snapshot; null: not persisted. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /**
   * Called with the protection overrides of all projects: first from the file (`fromStore` false), then at
   * every read of the store that returned a snapshot.
   */
  readonly onProtections?: (protections: readonly ProjectProtection[], fromStore: boolean) => void;
  /** Called with the projects that forward: first from the file, then at every read that returned a snapshot. */
  readonly onForwards?: (projectIds: readonly number[]) => void;
  /** Polling interval in milliseconds; default 1000. A change takes effect within two seconds. */
  readonly intervalMs?: number;
  /** Milliseconds without an answer after which the store counts as unavailable; default 2000. */
  readonly patienceMs?: number;
}

/**
 * Interval of full reads in milliseconds, independent of the version. Covers a restored store and a lost change
 * notice.
 */
const FULL_LOOK_MS = 60_000;

/** Refreshes the key snapshot of this gateway while the store answers, and tracks whether it does. */
export class KeyCache {
  readonly #deps: KeyCacheDeps;
  readonly #patienceMs: number;
  #snapshot = KeySnapshot.of({ keys: [], aliases: [], protections: [], forwards: [] });
  #written: string | null = null;
  #writeFailed = false;
  /** Store version of the snapshot; null: not read from the store, or a full read is due. */
  #version: string | null = null;
  /** Forces the next poll to read everything, even while one is running. */
  #readAll = false;
  #fullAt = 0;
  #looking: Promise<void> | null = null;
  #lookedAt = 0;
  #away = false;
  readonly #ticks: Periodic;
  #stopped = false;

  constructor(deps: KeyCacheDeps) {
    this.#deps = deps;
    this.#patienceMs = deps.patienceMs ?? 2000;
    // A tick does not wait for the store: the next one notices that the store takes too long.
    this.#ticks = new Periodic({ intervalMs: deps.intervalMs ?? 1000, run: () => this.tick() });
  }

  get snapshot(): KeySnapshot {
    return this.#snapshot;
  }

  /**
   * Start of the query that returned the snapshot, milliseconds since 1970; 0: none yet. Later changes may be missing.
   */
  get snapshotAt(): number {
    return this.#fullAt;
  }

  /** True while the store is unavailable and no snapshot was read from the store or the file: no key is accepted. */
  get lost(): boolean {
    return this.#away && this.#fullAt === 0 && this.#written === null;
  }

  /** True after a query failed, here or elsewhere, or exceeded `patienceMs`; false after the next answer. */
  get storeAway(): boolean {
    return this.#away;
  }

  /** Reads the file, queries the store (at most `patienceMs`), then starts polling. */
  async start(): Promise<void> {
    this.#load();
    this.#ticks.start();
    await within(
      this.#patienceMs,
      () => this.refresh(),
      () => undefined,
    );
  }

  /** Stops polling. Does not wait for a running query; its answer is dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ticks.stop();
  }

  /** Polls once. Marks the store as unavailable when the running query has exceeded `patienceMs`. */
  tick(): void {
    const { clock } = this.#deps;
    if (this.#looking !== null && clock.now() - this.#lookedAt >= this.#patienceMs) {
      this.storeFailed(new AppError('store_unavailable', 'the store takes too long to answer'));
    }
    void this.refresh();
  }

  /**
   * Queries the store, or joins the running query; never throws. `readAll`: reads everything, even without a change.
   */
  refresh(readAll = false): Promise<void> {
    if (readAll) this.#readAll = true;
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** Like `refresh`, but waits for a running query first: it may miss the newest change. */
  async refreshFromNow(readAll = false): Promise<void> {
    if (this.#looking !== null) await this.#looking;
    return this.refresh(readAll);
  }

  /** Marks the store as unavailable after a failed query elsewhere. */
  storeFailed(cause: unknown): void {
    if (this.#away) return;
    this.#away = true;
    this.#deps.logger.warn(
      logFields(cause),
      `the store does not answer: known client keys (${this.#snapshot.size}) stay valid, requests with unknown keys are asked to retry`,
    );
  }

  storeAnswered(): void {
    if (!this.#away) return;
    this.#away = false;
    this.#deps.logger.info('client keys can be checked again');
  }

  async #look(): Promise<void> {
    const now = this.#deps.clock.now();
    this.#lookedAt = now;
    if (this.#readAll) this.#version = null;
    this.#readAll = false;
    const known = now - this.#fullAt >= FULL_LOOK_MS ? null : this.#version;
    try {
      const access = await this.#deps.store.ingestAccess(known);
      if (this.#stopped) return;
      if (access !== null) {
        this.#snapshot = KeySnapshot.of(access);
        this.#version = access.version;
        this.#fullAt = now;
        this.#deps.onProtections?.(access.protections, true);
        this.#deps.onForwards?.(this.#snapshot.forwarding);
      }
      this.storeAnswered();
      if (access !== null || this.#writeFailed) this.#write();
    } catch (error) {
      if (!this.#stopped) this.storeFailed(error);
    }
  }

  #load(): void {
    const { file, logger } = this.#deps;
    if (file === null || !existsSync(file)) return;
    try {
      const text = readFileSync(file, 'utf8');
      const snapshot = KeySnapshot.parse(text);
      if (snapshot === null) throw new Error('its content is unreadable');
      this.#snapshot = snapshot;
      this.#written = text;
      this.#deps.onProtections?.(snapshot.protections, false);
      this.#deps.onForwards?.(snapshot.forwarding);
    } catch (error) {
      logger.warn({ err: error, file }, 'the snapshot of client keys cannot be used; the store is asked for a new one');
    }
  }

  #write(): void {
    const { file, logger } = this.#deps;
    const { text } = this.#snapshot;
    if (file === null || text === this.#written) return;
    try {
      replacePrivateFile(file, text);
      this.#written = text;
      this.#writeFailed = false;
    } catch (error) {
      if (!this.#writeFailed) logger.warn({ err: error, file }, 'the snapshot of client keys cannot be written');
      this.#writeFailed = true;
    }
  }
}
