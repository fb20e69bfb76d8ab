import { existsSync, readFileSync } from 'node:fs';
import { AppError, logFields } from '../domain/app-error.ts';
import type { ProjectProtection } from '../domain/own-protection.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { TrackingStore } from '../domain/ports/tracking-store.ts';
import { replacePrivateFile } from '../lib/private-file.ts';
import { Periodic } from '../lib/periodic.ts';
import { within } from '../lib/within.ts';
import type { Logger } from '../observability/logger.ts';
import { KeySnapshot } from './key-snapshot.ts';

export interface KeyCacheDeps {
  readonly store: Pick<TrackingStore, 'ingestAccess'>;
  /** Where the snapshot outlives the process; null: nowhere. */
  readonly file: string | null;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /**
   * Told what projects ask for themselves: first as an earlier process left it (`fromStore` false), then as the store
   * says, again after every change.
   */
  readonly onProtections?: (protections: readonly ProjectProtection[], fromStore: boolean) => void;
  /** Milliseconds between two looks; default 1000: a change counts within two seconds. */
  readonly intervalMs?: number;
  /** Milliseconds after which a store that has not answered counts as away; default 2000. */
  readonly patienceMs?: number;
}

/**
 * Everything is read again after this time (milliseconds), changed or not: a store that was restored behind
 * our back, or a change whose notice was lost, counts then at the latest.
 */
const FULL_LOOK_MS = 60_000;

/** Keeps the snapshot of this gateway true while the store answers, and knows whether it does. */
export class KeyCache {
  readonly #deps: KeyCacheDeps;
  readonly #patienceMs: number;
  #snapshot = KeySnapshot.of({ keys: [], aliases: [], protections: [] });
  #written: string | null = null;
  #writeFailed = false;
  /** What the snapshot is of; null: of an earlier process, or of nothing. */
  #version: string | null = null;
  /** The next look shall be a full one, also when one is under way just now. */
  #anew = false;
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

  /** When the store was asked for the snapshot, milliseconds since 1970: later changes may be missing. 0: it was never asked. */
  get snapshotAt(): number {
    return this.#fullAt;
  }

  /** No key can be let in: the store is away, and neither it nor an earlier process has said yet who may send. */
  get lost(): boolean {
    return this.#away && this.#fullAt === 0 && this.#written === null;
  }

  /** The store did not answer the last time it was asked, or lets somebody wait for too long. */
  get storeAway(): boolean {
    return this.#away;
  }

  /** Takes up what an earlier process left, asks the store (for as long as patience lasts), and goes on asking. */
  async start(): Promise<void> {
    this.#load();
    this.#ticks.start();
    await within(
      this.#patienceMs,
      () => this.refresh(),
      () => undefined,
    );
  }

  /** Does not wait for a question under way; its answer is dropped. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#ticks.stop();
  }

  /** One turn of the clock. */
  tick(): void {
    const { clock } = this.#deps;
    if (this.#looking !== null && clock.now() - this.#lookedAt >= this.#patienceMs) {
      this.storeFailed(new AppError('store_unavailable', 'the store takes too long to answer'));
    }
    void this.refresh();
  }

  /** Asks the store now, or joins the question under way; never throws. `anew`: whatever it said before. */
  refresh(anew = false): Promise<void> {
    if (anew) this.#anew = true;
    this.#looking ??= this.#look().finally(() => (this.#looking = null));
    return this.#looking;
  }

  /** As `refresh`, but with an answer to a question that is asked now or later: one under way may miss what is new. */
  async refreshFromNow(anew = false): Promise<void> {
    if (this.#looking !== null) await this.#looking;
    return this.refresh(anew);
  }

  /** Somebody else met a store that does not answer. */
  storeFailed(cause: unknown): void {
    if (this.#away) return;
    this.#away = true;
    this.#deps.logger.warn(
      logFields(cause),
      `the store does not answer: ${this.#snapshot.size} client keys stay valid, requests with unknown keys are asked to retry`,
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
    if (this.#anew) this.#version = null;
    this.#anew = false;
    const known = now - this.#fullAt >= FULL_LOOK_MS ? null : this.#version;
    try {
      const access = await this.#deps.store.ingestAccess(known);
      if (this.#stopped) return;
      if (access !== null) {
        this.#snapshot = KeySnapshot.of(access);
        this.#version = access.version;
        this.#fullAt = now;
        this.#deps.onProtections?.(access.protections, true);
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
