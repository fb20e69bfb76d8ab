import { AppError } from '../../domain/app-error.ts';
import { sleep } from '../../lib/back-off.ts';
import { isRecord } from '../../lib/own-property.ts';
import { Periodic } from '../../lib/periodic.ts';
import type { TokenCipher } from '../../thirdparty/secrets/encrypted-token.ts';
import type { UrlGuard } from '../../thirdparty/guard/url-guard.ts';
import { DEFAULT_OPTIONS, type ImportDeps, type ImportProgress, type ImportSummary } from '../import-run.ts';
import { openReader } from '../readers/open-reader.ts';
import type { ReadTrouble } from '../readers/access/patient-asker.ts';
import { runImportUnder } from '../run-import.ts';
import { RunLease } from '../state/run-lease.ts';
import { cancelRequested } from '../state/run-state.ts';
import { type LinkedTracker, linkedTracker, requireLinkedTracker } from './linked-tracker.ts';
import {
  awayText,
  CANCELLED,
  failureText,
  LINKED_ELSEWHERE,
  notesOf,
  NOT_SWITCHED,
  resultText,
  STAGE_TEXTS,
  troubleText,
  UNLINKED,
} from './progress-texts.ts';
import { endedProgress, readProgress, type SavedProgress, saveProgress } from './saved-progress.ts';

/** Milliseconds between two saves of the progress when only numbers have changed. */
const SAVE_MS = 1000;
/** Milliseconds between two looks at the project: its token, its link, its deletion. Each saves the progress. */
const WATCH_MS = 3000;
/** Milliseconds for which a continued import waits for a tracker that is away. */
const AWAY_MS = 15 * 60_000;

export interface LinkedImportDeps extends Omit<ImportDeps, 'digest'> {
  readonly guard: UrlGuard;
  readonly cipher: Pick<TokenCipher, 'decrypt'>;
  readonly digest: () => Promise<ImportDeps['digest']>;
  /** Waits for the turn of each request to the tracker; default: none. */
  readonly pace?: (signal: AbortSignal) => Promise<void>;
  /** Milliseconds between two looks at the project; default 3000. */
  readonly watchMs?: number;
}

const isSummary = (result: unknown): result is ImportSummary => isRecord(result) && 'left_outs' in result;

/** Part of the import of one linked project that one gateway runs, from its lease to its end or interruption. */
export class LinkedImport {
  readonly #deps: LinkedImportDeps;
  readonly #projectId: number;
  readonly #stopping: AbortSignal;
  /** Aborted when the project is no longer what the import was started for. */
  readonly #gone = new AbortController();
  #progress: SavedProgress;
  #link: LinkedTracker | null = null;
  /** Sentence about the end of the link; null while it stands, or when the project was deleted. */
  #goneText: string | null = null;
  #message: string;
  #trouble: ReadTrouble | null = null;
  #savedAt = 0;
  #saving = Promise.resolve();
  /** Whether a save waits for the one before. It takes the progress as it is then. */
  #isSaveWaiting = false;
  /** Whether the last save of this run has begun. A later one would undo it. */
  #isLeft = false;

  /** `stopping` aborts when the gateway stops: another one, or its next start, continues the import. */
  constructor(deps: LinkedImportDeps, projectId: number, progress: SavedProgress, stopping: AbortSignal) {
    this.#deps = deps;
    this.#projectId = projectId;
    this.#progress = progress;
    this.#stopping = stopping;
    this.#message = progress.message;
  }

  /**
   * Runs until the end, which is saved and returned; null when the import was interrupted, or another process has it.
   * Throws what is no failure of the tracker or the store.
   */
  async run(): Promise<SavedProgress | null> {
    const { store, owner } = this.#deps;
    const { runKey: key } = this.#progress;
    const signal = this.#stopping;
    const lease = await RunLease.take({ store, key, owner: `${owner}/${this.#projectId}`, sleep, signal });
    const watch = new Periodic({ intervalMs: this.#deps.watchMs ?? WATCH_MS, run: () => this.#watch() });
    try {
      // Another process may have ended it while this one waited for the lease.
      const latest = await readProgress(store, this.#projectId);
      if (latest?.state !== 'running' || latest.runKey !== key) return null;
      this.#progress = latest;
      if (await cancelRequested(store, key)) return await this.#end('cancelled', CANCELLED);
      await this.#watch();
      watch.start();
      return await this.#import(lease);
    } finally {
      await watch.stop();
      await this.#saving;
      await lease.release();
    }
  }

  async #import(lease: RunLease): Promise<SavedProgress | null> {
    const signal = AbortSignal.any([this.#stopping, this.#gone.signal, lease.signal]);
    for (;;) {
      const before = this.#link?.sealedToken;
      const result = await this.#read(lease, signal).catch((error: unknown) => {
        if (error instanceof AppError || signal.aborted) return error;
        throw error;
      });
      await this.#saving;
      const isDone = isSummary(result) && result.state === 'done';
      // A run that was stopped in its last step is complete nevertheless.
      if (!isDone) {
        await this.#watch();
        const end = await this.#endOf(lease);
        if (end !== undefined) return end;
        // The tracker may have refused a token that was replaced meanwhile.
        if (this.#link?.sealedToken !== before) continue;
      }
      return isSummary(result) ? this.#finish(result) : this.#waitOrFail(result);
    }
  }

  async #read(lease: RunLease, signal: AbortSignal): Promise<ImportSummary> {
    const { guard, clock, pace } = this.#deps;
    signal.throwIfAborted();
    const { url, organization, slug, kind } = this.#link ?? requireLinkedTracker(this.#deps.cipher, null);
    // The token of the settings now: a new one is used from the next request on.
    const place = { url, organization, kind, token: () => this.#link?.token() ?? null };
    const reader = await openReader(
      { guard, clock, ...(pace === undefined ? {} : { pace }), onTrouble: (trouble) => this.#troubled(trouble) },
      place,
      signal,
    );
    this.#progress = { ...this.#progress, awayUntil: null };
    try {
      return await runImportUnder(
        lease,
        { ...this.#deps, digest: await this.#deps.digest(), throwsStoreFailures: true },
        { reader, url, organization },
        { ...DEFAULT_OPTIONS, projects: [{ slug, path: null, projectId: this.#projectId }], name: slug },
        signal,
        (progress) => this.#report(progress),
      );
    } finally {
      reader.close();
    }
  }

  /** Ends after a stop; undefined: nothing has stopped the run. */
  async #endOf(lease: RunLease): Promise<SavedProgress | null | undefined> {
    if (this.#gone.signal.aborted) return this.#goneText === null ? null : this.#end('failed', this.#goneText);
    if (lease.end === 'cancelled') return this.#end('cancelled', CANCELLED);
    return lease.end === 'lost' || this.#stopping.aborted ? null : undefined;
  }

  /** Leaves an import that was continued to the next look while its tracker is away; ends it otherwise. */
  async #waitOrFail(error: unknown): Promise<SavedProgress | null> {
    // The next look continues the import when the store is back.
    if (!(error instanceof AppError) || error.code === 'store_unavailable') throw error;
    const now = this.#deps.clock.now();
    const isContinued = this.#progress.stages.length > 0;
    const awayUntil = this.#progress.awayUntil ?? now + AWAY_MS;
    if (error.code !== 'tracker_unreachable' || !isContinued || now >= awayUntil) {
      return this.#end('failed', failureText(error.message));
    }
    await this.#leave({ ...this.#progress, awayUntil, message: awayText(error.message, awayUntil) });
    return null;
  }

  async #finish(summary: ImportSummary): Promise<SavedProgress | null> {
    const { state } = summary;
    if (state === 'running') return null;
    if (state === 'done' && this.#progress.switches) {
      await this.#deps.store.saveSettings(this.#projectId, { active: true, integrated: true });
    }
    this.#progress = { ...this.#progress, notes: notesOf(summary) };
    const result = resultText(summary);
    const isNotSwitched = state === 'failed' && this.#progress.switches;
    return this.#end(state, isNotSwitched ? `${result} ${NOT_SWITCHED}` : result);
  }

  async #end(state: 'done' | 'failed' | 'cancelled', message: string): Promise<SavedProgress> {
    const ended = endedProgress(this.#progress, state, message, this.#deps.clock.now());
    await this.#leave(ended);
    return ended;
  }

  /** Saves the progress with which this run leaves. */
  async #leave(progress: SavedProgress): Promise<void> {
    this.#isLeft = true;
    await this.#saving;
    await this.#save(progress);
  }

  /** Reads the settings of the project, and ends the run when its link or the project is gone. */
  async #watch(): Promise<void> {
    const settings = await this.#deps.store.settings(this.#projectId);
    const link = linkedTracker(this.#deps.cipher, settings);
    if (link?.runKey === this.#progress.runKey) {
      this.#link = link;
      this.#saveSoon();
      return;
    }
    if (settings !== null) this.#goneText = link === null ? UNLINKED : LINKED_ELSEWHERE;
    this.#gone.abort();
  }

  #report({ stages, stage }: ImportProgress): void {
    // Between projects there are none; those of the last one stay shown.
    if (stages.length > 0) this.#progress = { ...this.#progress, stages };
    this.#say(stage === null ? this.#message : STAGE_TEXTS[stage]);
  }

  #troubled(trouble: ReadTrouble | null): void {
    this.#trouble = trouble;
    this.#say(this.#message);
  }

  #say(message: string): void {
    this.#message = message;
    const shown = this.#trouble === null ? message : troubleText(this.#trouble);
    const isNew = shown !== this.#progress.message;
    this.#progress = { ...this.#progress, message: shown };
    if (isNew || this.#deps.clock.now() - this.#savedAt >= SAVE_MS) this.#saveSoon();
  }

  /** Saves the latest progress behind a running save. A slow store gets fewer saves, never a queue of them. */
  #saveSoon(): void {
    if (this.#isLeft || this.#isSaveWaiting) return;
    this.#savedAt = this.#deps.clock.now();
    this.#isSaveWaiting = true;
    const save = (): Promise<void> | undefined => {
      this.#isSaveWaiting = false;
      return this.#isLeft ? undefined : this.#save(this.#progress);
    };
    this.#saving = this.#saving.then(save).catch(() => undefined);
  }

  #save(progress: SavedProgress): Promise<void> {
    return saveProgress(this.#deps.store, this.#projectId, progress, this.#deps.clock.now());
  }
}
