import { AppError } from '../../domain/app-error.ts';
import type { RunningStore } from '../import-run.ts';
import type { Sleep } from '../../lib/back-off.ts';
import { HeldLease } from '../../lib/held-lease.ts';
import { cancelRequested, clearCancel } from './run-state.ts';

/** Milliseconds after which another process may go on with an import whose process was killed. */
const LEASE_MS = 15_000;
/** Milliseconds between two renewals; a request to cancel is seen as often. */
const RENEW_MS = 2000;
/** Milliseconds between two tries to take a lease that a killed process may have left. */
const TRY_MS = 1000;

type LeaseStore = Pick<
  RunningStore,
  'acquireLease' | 'releaseLease' | 'importState' | 'saveImportState' | 'listImportStates'
>;

export interface LeaseOptions {
  readonly store: LeaseStore;
  readonly key: string;
  readonly owner: string;
  readonly sleep: Sleep;
  readonly signal: AbortSignal;
}

/** Reason of the abort of a run. */
export type RunEnd = 'cancelled' | 'lost';

/** Right to run an import, renewed until it is released. */
export class RunLease {
  readonly #options: LeaseOptions;
  readonly #ended = new AbortController();
  #lease: HeldLease | null = null;
  #end: RunEnd | null = null;

  private constructor(options: LeaseOptions) {
    this.#options = options;
  }

  /**
   * Takes the lease. Waits as long as a killed process may have left it behind; then throws `conflict`.
   */
  static async take(options: LeaseOptions): Promise<RunLease> {
    const { sleep, signal } = options;
    const lease = new RunLease(options);
    for (let waited = 0; !(await lease.#take()); waited += TRY_MS) {
      if (waited > LEASE_MS || signal.aborted) {
        throw new AppError(
          'conflict',
          'another process runs this import; `errgate import status` shows how far it is, `errgate import cancel` ends it',
        );
      }
      await sleep(TRY_MS, signal);
    }
    return lease;
  }

  /** Aborts when the import was cancelled or another process has the lease. */
  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  get end(): RunEnd | null {
    return this.#end;
  }

  /** Releases the lease. Where the store cannot write, it ends by itself, and the result of the run is not lost. */
  async release(): Promise<void> {
    try {
      await this.#lease?.release();
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
    }
  }

  async #take(): Promise<boolean> {
    const { store, key, owner } = this.#options;
    const onRenewed = (isHeld: boolean) => this.#look(isHeld);
    this.#lease = await HeldLease.take({ store, name: key, owner, ttlMs: LEASE_MS, renewMs: RENEW_MS, onRenewed });
    return this.#lease !== null;
  }

  async #look(isHeld: boolean): Promise<void> {
    const { store, key } = this.#options;
    if (!isHeld) this.#stop('lost');
    else if (await cancelRequested(store, key)) this.#stop('cancelled');
  }

  #stop(end: RunEnd): void {
    this.#end ??= end;
    this.#ended.abort();
  }
}

/** Runs an import under its lease. A request to cancel an earlier run is no longer one. Throws as `RunLease.take`. */
export async function withRunLease<T>(options: LeaseOptions, work: (lease: RunLease) => Promise<T>): Promise<T> {
  const lease = await RunLease.take(options);
  try {
    await clearCancel(options.store, options.key);
    return await work(lease);
  } finally {
    await lease.release();
  }
}

/** Returns true while a process runs the import. */
export async function isRunning(store: LeaseStore, key: string, probe: string): Promise<boolean> {
  if (!(await store.acquireLease(key, probe, TRY_MS))) return true;
  await store.releaseLease(key, probe);
  return false;
}
