import { logFields } from '../../domain/app-error.ts';
import type { ArtifactBundle } from '../../domain/artifacts/artifact.ts';
import { MAX_BUILD_RELEASES } from '../../domain/artifacts/build.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { MAX_BUNDLES } from '../../domain/ports/stores/artifact-store.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import { Periodic } from '../../lib/periodic.ts';
import type { Logger } from '../../observability/logger.ts';
import { CHUNKS, NAMED_BY_ROWS } from './file-names.ts';

const HOUR_MS = 3_600_000;
/** Milliseconds between two runs. */
const INTERVAL_MS = HOUR_MS;
/** Milliseconds that a chunk waits for its upload. */
const CHUNK_MS = 2 * HOUR_MS;
/** Milliseconds in which the rows that name a new file are written. */
const UNNAMED_MS = HOUR_MS;
/** Milliseconds after which an upload that was interrupted is removed. */
const INCOMPLETE_MS = DAY_MS;
/** Files read at once. */
const PAGE = 500;
const LEASE = 'artifacts';

export interface ArtifactLimits {
  /** Days after which an upload that mapped no frame is removed. */
  readonly unusedDays: number;
  /** Bytes of all uploads of a project, above which the least recently used are removed. */
  readonly projectBytes: number;
}

export interface ArtifactJobOptions {
  readonly store: Pick<
    Store,
    | 'listProjects'
    | 'listBundles'
    | 'removeBundle'
    | 'listBuildReleases'
    | 'removeBuildRelease'
    | 'isFileNamed'
    | 'listFiles'
    | 'removeFile'
    | 'acquireLease'
  >;
  /** Name of this process: one at a time does the work of a shared store. */
  readonly owner: string;
  readonly limits: ArtifactLimits;
  readonly clock: Clock;
  readonly logger: Pick<Logger, 'info' | 'warn'>;
}

/** Removes uploads that are not needed, and files that no row names any more. */
export class ArtifactJob {
  readonly #options: ArtifactJobOptions;
  readonly #job: Periodic;

  constructor(options: ArtifactJobOptions) {
    this.#options = options;
    this.#job = new Periodic({
      intervalMs: INTERVAL_MS,
      run: () => this.#run(),
      onError: (error) =>
        options.logger.warn(logFields(error), 'removing old uploads was interrupted; it continues at the next run'),
    });
  }

  start(): void {
    this.#job.start();
  }

  /** Runs once completely, or joins the running run. Never throws: the next run repeats failed removals. */
  run(): Promise<void> {
    return this.#job.run();
  }

  stop(): Promise<void> {
    return this.#job.stop();
  }

  async #run(): Promise<void> {
    const { store, owner, logger } = this.#options;
    if (!(await store.acquireLease(LEASE, owner, INTERVAL_MS))) return;
    let removed = 0;
    for (const { id } of await store.listProjects()) {
      removed += await this.#removeBundles(id);
      for (const { release } of (await store.listBuildReleases(id)).slice(MAX_BUILD_RELEASES)) {
        await store.removeBuildRelease(id, release);
      }
    }
    const files = (await this.#sweepChunks()) + (await this.#sweepFiles());
    if (removed + files > 0) logger.info({ uploads: removed, files }, 'old uploads of build tools were removed');
  }

  async #removeBundles(projectId: number): Promise<number> {
    const { store, limits, clock } = this.#options;
    const surplus = surplusOf(await store.listBundles(projectId), limits, clock.now());
    for (const { id } of surplus) await store.removeBundle(projectId, id);
    return surplus.length;
  }

  async #sweepChunks(): Promise<number> {
    const { store, clock } = this.#options;
    const before = clock.now() - CHUNK_MS;
    return this.#sweep(CHUNKS, before, (name) => store.removeFile(name, before));
  }

  /** A file is written before the row that names it, so only older ones are looked at. */
  async #sweepFiles(): Promise<number> {
    const { store, clock } = this.#options;
    const before = clock.now() - UNNAMED_MS;
    let removed = 0;
    for (const prefix of NAMED_BY_ROWS) {
      removed += await this.#sweep(prefix, before, async (name) =>
        (await store.isFileNamed(name)) ? false : store.removeFile(name, before),
      );
    }
    return removed;
  }

  async #sweep(prefix: string, before: number, remove: (name: string) => Promise<boolean>): Promise<number> {
    let removed = 0;
    let after: string | null = null;
    for (;;) {
      const files = await this.#options.store.listFiles(prefix, after, PAGE);
      for (const { name, putAt } of files) {
        if (putAt < before && (await remove(name))) removed += 1;
      }
      const last = files.at(-1);
      if (last === undefined || files.length < PAGE) return removed;
      after = last.name;
    }
  }
}

/** Returns the bundles beyond the limits: unused for long, interrupted, then the least recently used beyond the bytes. */
export function surplusOf(
  bundles: readonly ArtifactBundle[],
  { unusedDays, projectBytes }: ArtifactLimits,
  now: number,
): ArtifactBundle[] {
  const usedAt = ({ lastUsedAt, uploadedAt }: ArtifactBundle): number => Math.max(lastUsedAt ?? 0, uploadedAt);
  const isOver = (bundle: ArtifactBundle): boolean =>
    usedAt(bundle) < now - unusedDays * DAY_MS || (!bundle.complete && bundle.uploadedAt < now - INCOMPLETE_MS);
  let [kept, bytes] = [0, 0];
  return [...bundles]
    .sort((a, b) => usedAt(b) - usedAt(a))
    .filter((bundle) => {
      if (isOver(bundle)) return true;
      const fits = kept < MAX_BUNDLES && bytes + bundle.storedBytes <= projectBytes;
      if (fits) {
        kept += 1;
        bytes += bundle.storedBytes;
      }
      return !fits;
    });
}
