import { createHash } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import type { PendingUpload } from '../../domain/artifacts/pending-upload.ts';
import type { ArtifactStore } from '../../domain/ports/stores/artifact-store.ts';
import type { UploadRequest, UploadState } from '../../domain/ports/uploads.ts';
import { HeldLease } from '../../lib/held-lease.ts';
import type { LeaseStore } from '../../lib/lease.ts';
import { within } from '../../lib/within.ts';
import { fairQueue } from './fair-queue.ts';
import { chunkFile } from './file-names.ts';

/** Uploads opened at once: each worker has its own memory. */
const OPENED_AT_ONCE = 1;
/** Uploads that wait for their turn here; further ones wait in the store. */
const MAX_WAITING = 100;
/** Uploads of one project that wait here in any case: those of others never take all places. */
const OWN_PLACES = 5;
/** Milliseconds after which another gateway opens the uploads of one that was killed. */
const LEASE_MS = 120_000;

const CREATED: UploadState = { state: 'created', missingChunks: [], detail: null };

/** Upload to open, for all of its projects. */
export interface UploadWork extends Omit<PendingUpload, 'projectId'> {
  readonly projects: readonly number[];
}

/** What the rows of an upload say. */
export type NamedWork = Omit<UploadWork, 'id' | 'chunks' | 'tries'>;

/** Returns the work that a request asks for. Equal requests have equal ids. */
export function workOf({ organization, projects, ...request }: UploadRequest, askedAt: number): UploadWork {
  const chunks = request.chunks.map((checksum) => chunkFile(organization, checksum));
  const asked = JSON.stringify([projects, request.checksum, chunks, request.release, request.dist, request.debugFile]);
  const id = createHash('sha1').update(asked).digest('hex');
  return { ...request, id, projects, chunks, askedAt, tries: 0 };
}

function rowsOf({ projects, ...work }: UploadWork): PendingUpload[] {
  return projects.map((projectId) => ({ ...work, projectId }));
}

/** Returns the work of pending uploads, the oldest first. Projects that were deleted meanwhile have no row. */
function worksOf(rows: readonly PendingUpload[]): UploadWork[] {
  const works = new Map<string, UploadWork>();
  for (const { projectId, ...upload } of rows) {
    works.set(upload.id, { ...upload, projects: [...(works.get(upload.id)?.projects ?? []), projectId] });
  }
  return [...works.values()].sort((a, b) => a.askedAt - b.askedAt);
}

/** Project whose turn an upload takes: the first one of those that it is for. */
const ownerOf = ({ projects: [first = 0] }: Pick<UploadWork, 'projects'>): number => first;

type PendingStore = Pick<ArtifactStore, 'putPendingUpload' | 'pendingUploads' | 'setTries' | 'removePendingUpload'>;

export interface TurnDeps {
  readonly store: PendingStore & LeaseStore;
  /** Name of this process as owner of leases. */
  readonly owner: string;
  /** Opens an upload. Rejects where a later try may succeed. */
  readonly open: (work: UploadWork) => Promise<UploadState>;
}

/** Place of an upload in the queue, and its end. */
class Turn {
  readonly work: UploadWork;
  readonly isResumed: boolean;
  /** Settles when the upload is in the store, with its lease; null: it is not, so its end must be answered. */
  kept: Promise<HeldLease | null> | null;
  hasEnded = false;
  readonly result: Promise<UploadState>;

  constructor(work: UploadWork, lease: Promise<HeldLease | null> | null, open: (turn: Turn) => Promise<UploadState>) {
    this.work = work;
    this.isResumed = lease !== null;
    this.kept = lease;
    this.result = open(this);
  }
}

/**
 * Opens uploads one after the other, each once however often it is asked for. Projects take turns. An upload that is
 * answered before its end is kept in the store, so that it is opened after a restart, or by another gateway.
 */
export class UploadTurns {
  readonly #deps: TurnDeps;
  readonly #queue = fairQueue({ concurrency: OPENED_AT_ONCE });
  readonly #turns = new Map<string, Turn>();
  #isStopping = false;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  /** Runs work on uploads of a project when it is its turn. Throws `store_unavailable` when the service stops before. */
  run<T>(owner: number, work: () => Promise<T>, priority = 1): Promise<T> {
    const inTurn = (): Promise<T> => {
      if (this.#isStopping) {
        throw new AppError('store_unavailable', 'The service is stopping: try again in a minute.');
      }
      return work();
    };
    return this.#queue.add(inTurn, { owner, priority });
  }

  /**
   * Returns the end of an upload, or `created` after some milliseconds, when it is kept. Throws `rate_limited` when a
   * project has too many that are kept.
   */
  async opened(work: UploadWork, waitMs: number): Promise<UploadState> {
    const known = this.#turns.get(work.id);
    if (known === undefined && this.#isFull(work)) {
      await this.#deps.store.putPendingUpload(rowsOf(work));
      return CREATED;
    }
    const turn = known ?? this.#begin(work, null);
    return within(
      waitMs,
      () => turn.result,
      () => this.#later(turn),
    );
  }

  /** Opens uploads that are kept and that no process opens. Those that tools wait for go first. */
  async resume(signal: AbortSignal): Promise<void> {
    for (const work of worksOf(await this.#deps.store.pendingUploads())) {
      if (signal.aborted || this.#isStopping) return;
      if (this.#turns.has(work.id) || this.#isFull(work)) continue;
      const turn = this.#begin(work, this.#lease(work));
      // What fails is tried again by the next look.
      turn.result.catch(() => undefined);
      await turn.kept;
    }
  }

  /** Waits for the upload that is being opened. Those that are kept are opened after the next start. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#queue.onIdle();
    await Promise.allSettled([...this.#turns.values()].map(({ result }) => result));
  }

  #isFull(work: UploadWork): boolean {
    return this.#queue.size >= MAX_WAITING && this.#queue.sizeBy({ owner: ownerOf(work) }) >= OWN_PLACES;
  }

  #begin(work: UploadWork, lease: Promise<HeldLease | null> | null): Turn {
    const turn = new Turn(work, lease, (begun) => this.#open(begun));
    this.#turns.set(work.id, turn);
    return turn;
  }

  async #open(turn: Turn): Promise<UploadState> {
    let isDone = false;
    try {
      // Another gateway opens it.
      if (turn.isResumed && (await turn.kept) === null) return CREATED;
      const open = turn.isResumed ? () => this.#openAgain(turn.work) : () => this.#deps.open(turn.work);
      const state = await this.run(ownerOf(turn.work), open, turn.isResumed ? 0 : 1);
      isDone = true;
      return state;
    } finally {
      turn.hasEnded = true;
      await this.#end(turn, isDone);
      this.#turns.delete(turn.work.id);
    }
  }

  /** Opens an upload and counts the try, unless it fails in a way that ends no process. */
  async #openAgain(work: UploadWork): Promise<UploadState> {
    const { store, open } = this.#deps;
    const rows = rowsOf(work);
    await store.setTries(rows, work.tries + 1);
    try {
      return await open(work);
    } catch (error) {
      await store.setTries(rows, work.tries).catch(() => undefined);
      throw error;
    }
  }

  /** Forgets an upload that was kept when it is done, and lets other gateways try otherwise. */
  async #end({ work, kept }: Turn, isDone: boolean): Promise<void> {
    if (kept === null) return;
    const lease = await kept.catch(() => null);
    // Where this fails, the next look finds the upload stored.
    if (isDone) await this.#deps.store.removePendingUpload(rowsOf(work)).catch(() => undefined);
    await lease?.release().catch(() => undefined);
  }

  async #later(turn: Turn): Promise<UploadState> {
    if (turn.hasEnded) return turn.result;
    const kept = (turn.kept ??= this.#keep(turn.work));
    try {
      await kept;
    } catch (error) {
      if (turn.kept === kept) turn.kept = null;
      throw error;
    }
    return CREATED;
  }

  async #keep(work: UploadWork): Promise<HeldLease | null> {
    // The lease is first: without it another gateway would open the upload, too.
    const lease = await this.#lease(work);
    try {
      await this.#deps.store.putPendingUpload(rowsOf(work));
    } catch (error) {
      await lease?.release().catch(() => undefined);
      throw error;
    }
    return lease;
  }

  #lease({ id }: UploadWork): Promise<HeldLease | null> {
    const { store, owner } = this.#deps;
    return HeldLease.take({ store, name: `upload ${id}`, owner, ttlMs: LEASE_MS });
  }
}
