import type { ForwardState } from '../../domain/ingest/forward.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { BackOff, sleep } from '../../lib/back-off.ts';
import type { ForwardTarget } from './forward-target.ts';
import type { LaneReader, SpoolEntry } from './lane-reader.ts';
import type { MarkQueue } from './mark-queue.ts';

/** Connections of each lane to the target. */
const CONNECTIONS = 2;
/** Milliseconds between two reports of the state while requests wait. */
const REPORT_MS = 5000;
const FIRST_RETRY_MS = 500;
const MAX_RETRY_MS = 30_000;

export interface ProjectForwarderOptions {
  readonly projectId: number;
  readonly spoolId: string;
  readonly lanes: readonly LaneReader[];
  /** The lane with events. */
  readonly events: LaneReader;
  readonly target: ForwardTarget;
  readonly marks: MarkQueue;
  /** What this spool reported before the start; null: nothing. */
  readonly before: ForwardState | null;
  readonly saveState: (state: ForwardState) => Promise<void>;
  readonly clock: Clock;
  readonly maxAgeMs: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Sends the lanes of one project. Tells the store before the first event of a busy time, and when all are settled. */
export class ProjectForwarder {
  readonly lanes: readonly LaneReader[];
  readonly #options: ProjectForwarderOptions;
  readonly #running = new Map<LaneReader, Promise<void>>();
  /** Reads of a lane run one after another. */
  readonly #reads = new Map<LaneReader, Promise<unknown>>();
  /** The store knows that events are being sent; null: none are. */
  #announced: Promise<boolean> | null = null;
  /** True when requests were sent since the last report of a settled state. */
  #busy = false;
  #paused = false;
  #reports: Promise<unknown> = Promise.resolve();
  #reportedAt = 0;

  constructor(options: ProjectForwarderOptions) {
    this.#options = options;
    this.lanes = options.lanes;
  }

  /** Starts to send what is new, saves the progress, and reports the state where it is due. `paused`: no events. */
  async tick(paused = false): Promise<void> {
    const { clock, events, marks, signal } = this.#options;
    this.#paused = paused;
    // A run ends when its lane has nothing more, so between two runs all is read.
    const isSettled = (lane: LaneReader): boolean => !this.#running.has(lane) && lane.outstanding === 0;
    if (this.#announced !== null && isSettled(events) && marks.size === 0) {
      this.#announced = null;
      await this.save();
      await this.#report();
    }
    if (this.#busy && marks.size === 0 && this.lanes.every(isSettled)) {
      this.#busy = false;
      await this.save();
      await this.#report();
    }
    for (const lane of this.lanes) {
      if (signal.aborted || this.#running.has(lane) || this.#waits(lane)) continue;
      const run = this.#run(lane).finally(() => this.#running.delete(lane));
      this.#running.set(lane, run);
    }
    await this.save();
    if (this.#busy && clock.now() - this.#reportedAt >= REPORT_MS) await this.#report();
  }

  /** Writes the positions of the lanes. */
  async save(): Promise<void> {
    for (const lane of this.lanes) await this.#alone(lane, () => lane.save());
  }

  /** Gives up the oldest part of the largest lane; returns the number of its requests. */
  async dropOldest(lane: LaneReader): Promise<number> {
    return this.#alone(lane, () => lane.dropOldest());
  }

  /** Resolves when nothing runs any more, after the signal aborted. */
  async ended(): Promise<void> {
    await Promise.allSettled([...this.#running.values()]);
    await this.#reports;
    await this.save();
  }

  async #run(lane: LaneReader): Promise<void> {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#connection(lane)));
  }

  async #connection(lane: LaneReader): Promise<void> {
    const { events, signal, target, onError } = this.#options;
    try {
      while (!signal.aborted && !this.#waits(lane)) {
        const entry: SpoolEntry | null = await this.#alone(lane, () => lane.next());
        if (entry === null) return;
        this.#busy = true;
        if (lane === events && !(await this.#announce())) return;
        await target.deliver(lane, entry);
      }
    } catch (error) {
      onError(error);
    }
  }

  #waits(lane: LaneReader): boolean {
    return this.#paused && lane === this.#options.events;
  }

  /** Tells the store that events are on their way, before the first one. False when the signal aborted first. */
  #announce(): Promise<boolean> {
    this.#announced ??= this.#reportPending();
    return this.#announced;
  }

  async #reportPending(): Promise<boolean> {
    const { signal, onError } = this.#options;
    const backOff = new BackOff({ firstMs: FIRST_RETRY_MS, maxMs: MAX_RETRY_MS, random: Math.random });
    while (!signal.aborted) {
      try {
        await this.#write(true);
        return true;
      } catch (error) {
        onError(error);
        await sleep(backOff.next(), signal);
      }
    }
    return false;
  }

  /** Reports the state; the next report makes up for a failed one. */
  async #report(): Promise<void> {
    await this.#write(this.#announced !== null).catch((error: unknown) => {
      this.#reportedAt = this.#options.clock.now();
      // What is settled must be told in the end, or an import would wait for it.
      this.#announced ??= Promise.resolve(true);
      this.#options.onError(error);
    });
  }

  /** Writes one after another, so that the order of states is that of their calls. */
  #write(pending: boolean): Promise<void> {
    const { clock, maxAgeMs } = this.#options;
    const written = this.#reports.then(async () => {
      const state = await this.#state(pending ? clock.now() + maxAgeMs : 0);
      await this.#options.saveState(state);
      this.#reportedAt = state.updatedAt;
    });
    this.#reports = written.catch(() => undefined);
    return written;
  }

  async #state(pendingUntil: number): Promise<ForwardState> {
    const { projectId, spoolId, target, before, clock } = this.#options;
    const { health } = target;
    let bytes = 0;
    for (const lane of this.lanes) bytes += await lane.waitingBytes();
    const oldest = this.lanes.map(({ oldestAt }) => oldestAt).filter((at) => at !== null);
    return {
      ...{ projectId, spoolId, pendingUntil },
      sentAt: Math.max(target.sentAt, before?.sentAt ?? 0),
      bytes,
      oldestAt: oldest.length === 0 ? null : Math.min(...oldest),
      succeededAt: health.succeededAt ?? before?.succeededAt ?? null,
      failedAt: health.failedAt ?? before?.failedAt ?? null,
      failure: health.failure ?? before?.failure ?? null,
      stalled: health.stalled,
      dropped: this.lanes.reduce((sum, { dropped }) => sum + dropped, 0),
      updatedAt: clock.now(),
    };
  }

  #alone<T>(lane: LaneReader, work: () => Promise<T>): Promise<T> {
    const result = (this.#reads.get(lane) ?? Promise.resolve()).then(work);
    this.#reads.set(
      lane,
      result.catch(() => undefined),
    );
    return result;
  }
}
