import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { logFields } from '../../domain/app-error.ts';
import { type Forward, type ForwardPause, forwardPauseKey, type ForwardState } from '../../domain/ingest/forward.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { SendEnvelope } from '../../domain/ports/envelope-sender.ts';
import type { ForwardStore } from '../../domain/ports/stores/forward-store.ts';
import type { ImportStore } from '../../domain/ports/stores/import-store.ts';
import type { JournalFiles } from '../../domain/ports/journal-files.ts';
import { Periodic } from '../../lib/periodic.ts';
import { within } from '../../lib/within.ts';
import type { Logger } from '../../observability/logger.ts';
import { type ForwardResult, ForwardTarget } from './forward-target.ts';
import { LaneReader } from './lane-reader.ts';
import { MarkQueue } from './mark-queue.ts';
import { ProjectForwarder } from './project-forwarder.ts';
import { laneDir, LANES, projectDir, spooledProjects } from './spool-paths.ts';

/** Milliseconds between looks at the spool. */
const TICK_MS = 250;
/** Milliseconds after which the forwards are read again without a notice. */
const RELOAD_MS = 30_000;
/** Milliseconds between two looks whether an import asks for a pause. */
const PAUSE_LOOK_MS = 5000;
/** Maximum milliseconds that a stop waits for the last writes. */
const STOP_MS = 2000;
/** Milliseconds between two log lines about failures of the same kind. */
const LOG_MS = 60_000;

export interface ForwardWorkerOptions {
  readonly files: JournalFiles;
  /** Folder of the spool. */
  readonly dir: string;
  readonly store: Pick<ForwardStore, 'listForwards' | 'listForwardStates' | 'saveForwardState'> &
    Pick<ImportStore, 'importState'>;
  readonly instanceId: string;
  /** Decrypts the DSN of a project. Throws AppError when no key fits. */
  readonly decrypt: (sealedDsn: string, projectId: number) => string;
  readonly send: SendEnvelope;
  /** Records durably that the target of the project took the events; called at least once for each. */
  readonly mark: (projectId: number, eventIds: readonly string[], now: number) => Promise<void>;
  /** Removes a folder with its content; ignores a missing one. */
  readonly removeDir: (dir: string) => Promise<void>;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'warn' | 'info'>;
  /** Bounds of the whole spool. */
  readonly maxBytes: number;
  readonly maxAgeMs: number;
  readonly maxInflatedBytes: number;
  readonly count: (result: ForwardResult, quantity: number) => void;
  /** Called with the bytes that wait and the receipt of the oldest one, at every look. */
  readonly onWaiting?: (bytes: number, oldestAt: number | null) => void;
  readonly tickMs?: number;
}

interface RunningProject {
  readonly forwarder: ProjectForwarder;
  readonly ending: AbortController;
  /** Time until which no events are sent, as last read at `lookedAt`. */
  pausedUntil: number;
  lookedAt: number;
}

/** Sends the spool of this data dir to the targets, each project on its own. Keeps the bounds of the spool. */
export class ForwardWorker {
  readonly #options: ForwardWorkerOptions;
  readonly #job: Periodic;
  readonly #stopping = new AbortController();
  readonly #projects = new Map<number, RunningProject>();
  #forwards: ReadonlyMap<number, Forward> | null = null;
  #loadedAt = 0;
  #loggedAt = 0;
  #spoolId: string | null = null;

  constructor(options: ForwardWorkerOptions) {
    this.#options = options;
    const onError = (error: unknown): void => this.#log(error);
    this.#job = new Periodic({ intervalMs: options.tickMs ?? TICK_MS, run: () => this.tick(), onError });
  }

  start(): void {
    this.#job.start();
  }

  /** Reads the forwards again at the next look: they have changed. */
  changed(): void {
    this.#loadedAt = 0;
  }

  /** Ends running requests, and writes how far it came. Resolves in bounded time. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const { ending } of this.#projects.values()) ending.abort();
    const ended = async (): Promise<void> => {
      await this.#job.stop();
      await Promise.allSettled([...this.#projects.values()].map(({ forwarder }) => forwarder.ended()));
    };
    await within(STOP_MS, ended, () => undefined);
  }

  /** Looks at the spool once. */
  async tick(): Promise<void> {
    const { clock, files, dir } = this.#options;
    if (clock.now() - this.#loadedAt >= RELOAD_MS || this.#loadedAt === 0) await this.#load();
    if (this.#forwards === null) return;
    for (const projectId of await spooledProjects(files, dir)) {
      if (this.#stopping.signal.aborted) return;
      if (this.#forwards.has(projectId)) await this.#tickProject(projectId);
      else await this.#discard(projectId);
    }
    await this.#keepBounds();
  }

  async #load(): Promise<void> {
    const startedAt = this.#options.clock.now();
    try {
      const forwards = await this.#options.store.listForwards();
      this.#forwards = new Map(forwards.map((forward) => [forward.projectId, forward]));
    } catch (error) {
      // The known forwards stay in force while the store is away.
      this.#log(error);
    }
    this.#loadedAt = startedAt;
  }

  async #tickProject(projectId: number): Promise<void> {
    const project = await this.#projectOf(projectId);
    const now = this.#options.clock.now();
    if (now - project.lookedAt >= PAUSE_LOOK_MS) {
      project.lookedAt = now;
      try {
        const pause = await this.#options.store.importState(forwardPauseKey(projectId));
        project.pausedUntil = pause === null ? 0 : (JSON.parse(pause) as ForwardPause).until;
      } catch (error) {
        // The known pause stays in force while the store is away, and ends by itself.
        this.#log(error);
      }
    }
    await project.forwarder.tick(project.pausedUntil > now);
  }

  async #projectOf(projectId: number): Promise<RunningProject> {
    const known = this.#projects.get(projectId);
    if (known !== undefined) return known;
    const { files, dir, store, clock, maxAgeMs, maxInflatedBytes, mark, count, decrypt, send } = this.#options;
    const { instanceId } = this.#options;
    const spoolId = await this.#ownSpoolId();
    const states = await store.listForwardStates(projectId);
    const before = states.find((state) => state.spoolId === spoolId) ?? null;
    const ending = new AbortController();
    const { signal } = ending;
    const onError = (error: unknown): void => this.#log(error);
    const marks = new MarkQueue({ mark: (ids) => mark(projectId, ids, clock.now()), signal, onError });
    const dsn = (): string => decrypt(this.#forwards?.get(projectId)?.sealedDsn ?? '', projectId);
    const target = new ForwardTarget({
      ...{ dsn, instanceId, send, marks, clock, maxAgeMs, maxInflatedBytes, signal, count },
    });
    const lanes = await Promise.all(LANES.map((lane) => LaneReader.open(files, laneDir(dir, projectId, lane))));
    const saveState = (state: ForwardState): Promise<void> => store.saveForwardState(state);
    const events = lanes[LANES.indexOf('events')] as LaneReader;
    const forwarder = new ProjectForwarder({
      ...{ projectId, spoolId, lanes, events, target, marks, before, saveState, clock, maxAgeMs, signal, onError },
    });
    const project: RunningProject = { forwarder, ending, pausedUntil: 0, lookedAt: -Infinity };
    this.#projects.set(projectId, project);
    if (this.#stopping.signal.aborted) ending.abort();
    return project;
  }

  /** Gives up what waits for a project that forwards no more, or is gone. */
  async #discard(projectId: number): Promise<void> {
    const { dir, removeDir, store, clock, count, files } = this.#options;
    const project = this.#projects.get(projectId);
    project?.ending.abort();
    await project?.forwarder.ended();
    this.#projects.delete(projectId);
    let left = 0;
    for (const lane of LANES) {
      const reader = await LaneReader.open(files, laneDir(dir, projectId, lane));
      while ((await reader.next()) !== null) left += 1;
    }
    await removeDir(projectDir(dir, projectId));
    if (left > 0) count('removed', left);
    const spoolId = await this.#ownSpoolId();
    const state = (await store.listForwardStates(projectId)).find((each) => each.spoolId === spoolId);
    if (state === undefined) return;
    const settled = { pendingUntil: 0, bytes: 0, oldestAt: null, stalled: false, updatedAt: clock.now() };
    await store.saveForwardState({ ...state, ...settled });
  }

  /** Gives up the oldest segment of the largest lane until the spool is within its bound. */
  async #keepBounds(): Promise<void> {
    const { maxBytes, count, onWaiting, logger } = this.#options;
    for (;;) {
      let total = 0;
      let oldestAt: number | null = null;
      let largest: { bytes: number; drop: () => Promise<number> } | null = null;
      for (const { forwarder } of this.#projects.values()) {
        for (const lane of forwarder.lanes) {
          const bytes = await lane.waitingBytes();
          total += bytes;
          if (lane.oldestAt !== null) oldestAt = Math.min(lane.oldestAt, oldestAt ?? Infinity);
          if (bytes > (largest?.bytes ?? -1)) largest = { bytes, drop: () => forwarder.dropOldest(lane) };
        }
      }
      onWaiting?.(total, oldestAt);
      if (total <= maxBytes || largest === null) return;
      const dropped = await largest.drop();
      if (dropped === 0) return;
      count('overflow', dropped);
      logger.warn({ dropped, max_bytes: maxBytes }, 'forward queue full: dropped the oldest requests');
    }
  }

  /** Id of the spool of this data dir, made once. */
  async #ownSpoolId(): Promise<string> {
    if (this.#spoolId !== null) return this.#spoolId;
    const { files, dir } = this.#options;
    const file = join(dir, 'spool-id');
    const found = (await files.readAll(file))?.toString().trim() ?? '';
    const id = /^[0-9a-f]{32}$/.test(found) ? found : randomBytes(16).toString('hex');
    if (id !== found) await files.replace(file, Buffer.from(`${id}\n`));
    this.#spoolId = id;
    return id;
  }

  #log(error: unknown): void {
    const now = this.#options.clock.now();
    if (this.#stopping.signal.aborted || now - this.#loggedAt < LOG_MS) return;
    this.#loggedAt = now;
    this.#options.logger.warn(logFields(error), 'forwarding cannot go on at the moment; it tries again');
  }
}
