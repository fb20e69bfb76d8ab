import { storedBytesOf, type BundleUse } from '../../domain/artifacts/artifact.ts';
import { MAX_BUILD_RELEASES } from '../../domain/artifacts/build.ts';
import { DAY_MS, HOUR_MS } from '../../domain/durations.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { MAX_BUNDLES } from '../../domain/ports/stores/artifact-store.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { ArtifactLimits } from '../../domain/ports/uploads.ts';
import { CHUNKS, NAMED_BY_ROWS } from './file-names.ts';

/** Milliseconds that a chunk waits for its upload. */
const CHUNK_MS = 2 * HOUR_MS;
/** Milliseconds in which the rows that name a new file are written. */
const UNNAMED_MS = HOUR_MS;
/** Milliseconds for which chunks of an upload that was answered wait for it to be opened, as after an outage. */
const PENDING_MS = 2 * DAY_MS;
/** Milliseconds after which an upload that was interrupted is removed: none that is pending. */
const INCOMPLETE_MS = PENDING_MS + DAY_MS;
/** Milliseconds for which an upload that mapped a frame ranks before those that mapped none. */
const IN_USE_MS = 7 * DAY_MS;
/** Share of a project's bytes and uploads that those in use take before others: the next build needs some as well. */
const IN_USE_SHARE = 0.75;
/** Files read at once. */
const PAGE = 500;

export interface UploadPruning {
  readonly store: Pick<
    Store,
    | 'listProjects'
    | 'bundleUses'
    | 'removeBundle'
    | 'listBuildReleases'
    | 'removeBuildRelease'
    | 'isFileNamed'
    | 'listFiles'
    | 'removeFile'
    | 'removeUnfinished'
    | 'pendingUploads'
    | 'renewFiles'
  >;
  readonly limits: ArtifactLimits;
  readonly clock: Clock;
  /** Ends the run before the next project or file. */
  readonly signal?: AbortSignal;
}

export interface PrunedUploads {
  /** Uploads and files that were removed. */
  readonly uploads: number;
  readonly files: number;
  /** What is left of all projects; bytes as `ArtifactBundle.storedBytes`. */
  readonly keptUploads: number;
  readonly keptBytes: number;
}

/**
 * Removes uploads that are not needed, files that no row names any more, and what interrupted processes left. Throws
 * when the store fails: the next run repeats failed removals.
 */
export async function pruneUploads(given: UploadPruning): Promise<PrunedUploads> {
  const { store, signal } = given;
  let [uploads, keptUploads, keptBytes] = [0, 0, 0];
  for (const { id } of await store.listProjects()) {
    if (signal?.aborted === true) break;
    const pruned = await applyQuota(given, id);
    uploads += pruned.removed;
    keptUploads += pruned.kept.length;
    keptBytes += storedBytesOf(pruned.kept);
    for (const { release } of (await store.listBuildReleases(id)).slice(MAX_BUILD_RELEASES)) {
      await store.removeBuildRelease(id, release);
    }
  }
  return { uploads, files: await sweepFiles(given), keptUploads, keptBytes };
}

/**
 * Removes uploads of a project beyond the limits. It reads no more of the uploads than their sizes and uses, so that it
 * may follow each upload. Their files go with the next sweep.
 */
export async function applyQuota(
  {
    store,
    limits,
    clock,
  }: Pick<UploadPruning, 'limits' | 'clock'> & {
    readonly store: Pick<Store, 'bundleUses' | 'removeBundle'>;
  },
  projectId: number,
): Promise<{ readonly removed: number; readonly kept: readonly BundleUse[] }> {
  const bundles = await store.bundleUses(projectId);
  const removed = new Set<BundleUse>();
  for (const bundle of surplusOf(bundles, limits, clock.now())) {
    const { uploadedAt, lastUsedAt, complete } = bundle;
    // One that was uploaded again or used meanwhile stays until the next run.
    if (await store.removeBundle(projectId, bundle.id, { uploadedAt, lastUsedAt, complete })) removed.add(bundle);
  }
  return { removed: removed.size, kept: bundles.filter((bundle) => !removed.has(bundle)) };
}

async function sweepFiles(given: UploadPruning): Promise<number> {
  const { store, clock } = given;
  const now = clock.now();
  await store.removeUnfinished(now - DAY_MS);
  for (const { chunks, askedAt } of await store.pendingUploads()) {
    if (askedAt >= now - PENDING_MS) await store.renewFiles(chunks);
  }
  const chunksBefore = now - CHUNK_MS;
  let removed = await sweep(given, CHUNKS, chunksBefore, (name) => store.removeFile(name, chunksBefore));
  // A file is written before the row that names it, so only older ones are looked at.
  const before = now - UNNAMED_MS;
  for (const prefix of NAMED_BY_ROWS) {
    removed += await sweep(given, prefix, before, async (name) =>
      (await store.isFileNamed(name)) ? false : store.removeFile(name, before),
    );
  }
  return removed;
}

async function sweep(
  { store, signal }: UploadPruning,
  prefix: string,
  before: number,
  remove: (name: string) => Promise<boolean>,
): Promise<number> {
  let removed = 0;
  let after: string | null = null;
  while (signal?.aborted !== true) {
    const files = await store.listFiles(prefix, after, PAGE);
    for (const { name, putAt } of files) {
      if (putAt < before && (await remove(name))) removed += 1;
    }
    const last = files.at(-1);
    if (last === undefined) break;
    after = last.name;
  }
  return removed;
}

/**
 * Returns the bundles beyond the limits: unused for long, interrupted, then those of the lowest rank. After the first
 * one that exceeds a limit none is kept, so that no upload goes while one of a lower rank stays.
 */
export function surplusOf(
  bundles: readonly BundleUse[],
  { unusedDays, projectMaxBytes }: ArtifactLimits,
  now: number,
): BundleUse[] {
  const isOver = (bundle: BundleUse): boolean =>
    usedAt(bundle) < now - unusedDays * DAY_MS || (!bundle.complete && bundle.uploadedAt < now - INCOMPLETE_MS);
  const needed = bundles.filter((bundle) => !isOver(bundle));
  const kept = new Set(fitting(ranked(needed, projectMaxBytes, now), MAX_BUNDLES, projectMaxBytes));
  return bundles.filter((bundle) => !kept.has(bundle));
}

const usedAt = ({ lastUsedAt, uploadedAt }: BundleUse): number => Math.max(lastUsedAt ?? 0, uploadedAt);

/**
 * Ranks bundles. Those that mapped a frame in the last days are first, up to their share of the bytes and while the
 * newest other one has room. The rest follows by last use, and native debug files, which map none, are last.
 */
function ranked(bundles: readonly BundleUse[], maxBytes: number, now: number): BundleUse[] {
  const byUse = [...bundles].sort((a, b) => usedAt(b) - usedAt(a));
  const maps = byUse.filter(({ kind }) => kind !== 'debug');
  const isInUse = ({ lastUsedAt }: BundleUse): boolean => lastUsedAt !== null && lastUsedAt >= now - IN_USE_MS;
  const newest = maps.find((bundle) => !isInUse(bundle))?.storedBytes ?? 0;
  const share = Math.min(IN_USE_SHARE * maxBytes, maxBytes - newest);
  const first = new Set(fitting(maps.filter(isInUse), IN_USE_SHARE * MAX_BUNDLES, share));
  return [...first, ...maps.filter((bundle) => !first.has(bundle)), ...byUse.filter(({ kind }) => kind === 'debug')];
}

/** Returns the first bundles that fit into a number of them and into bytes. */
function fitting(bundles: readonly BundleUse[], most: number, maxBytes: number): BundleUse[] {
  let bytes = 0;
  const end = bundles.findIndex(({ storedBytes }, at) => {
    bytes += storedBytes;
    return at >= most || bytes > maxBytes;
  });
  return end < 0 ? [...bundles] : bundles.slice(0, end);
}
