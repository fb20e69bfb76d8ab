import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { NAMED_BY_ROWS } from '../../artifacts/uploads/file-names.ts';
import { missingFiles } from '../../artifacts/uploads/missing-files.ts';
import { filesOf, storedBytesOf } from '../../domain/artifacts/artifact.ts';
import { DAY_MS } from '../../domain/durations.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { ArtifactLimits } from '../../domain/ports/uploads.ts';
import { ifAbsent } from '../../lib/durable-files.ts';
import { counted } from '../../lib/counted.ts';
import { uploadsDir } from '../data-dir/data-dir-paths.ts';
import { bytesText, fail, type Finding, ok, reasonOf, warn } from './finding.ts';

const CHECK = 'uploads';
/** Share of a project's bytes from which on a person should know. */
const NEARLY_FULL = 0.9;
/** Files looked at together. */
const PAGE = 500;
/** Projects and uploads that are named. */
const SHOWN = 3;

type CheckedStore = Pick<Store, 'listProjects' | 'bundleUses' | 'bundle' | 'mapsOfBundle' | 'knownFiles' | 'listFiles'>;

/** What the uploads of all projects need, and what of it is missing. */
interface Kept {
  readonly uploads: number;
  readonly bytes: number;
  /** Paths of projects that are near their bound, with their share. */
  readonly full: readonly string[];
  /** Uploads without all of their files, as `project id`. */
  readonly incomplete: readonly string[];
  readonly files: ReadonlySet<string>;
}

/**
 * Checks the uploads of build tools: whether they can be opened, whether all of their files are there, and whether old
 * ones are removed.
 */
export async function checkUploads(
  store: CheckedStore,
  { projectMaxBytes }: Pick<ArtifactLimits, 'projectMaxBytes'>,
  { dataDir, now }: { readonly dataDir: string; readonly now: number },
): Promise<Finding> {
  const dir = uploadsDir(dataDir);
  try {
    // The service makes it at its start.
    await access(dir, constants.R_OK | constants.W_OK | constants.X_OK).catch((error: unknown) =>
      ifAbsent(error, null),
    );
  } catch (error) {
    return fail(CHECK, `no upload can be opened: ${reasonOf(error)}`, `give ${dir} to the user that errgate runs as`);
  }
  const kept = await readKept(store, projectMaxBytes);
  const { uploads, bytes, full, incomplete } = kept;
  if (incomplete.length > 0) {
    return fail(
      CHECK,
      `files are missing or cut of ${counted(incomplete.length, 'upload')}, so their frames are not mapped: ${shown(incomplete)}`,
      'upload them again, or restore the folder with files of the backup; `errgate artifact remove` removes one',
    );
  }
  const orphans = await findOrphans(store, kept.files, now - DAY_MS);
  if (orphans.files > 0) {
    return warn(
      CHECK,
      `${counted(orphans.files, 'file')} with ${bytesText(orphans.bytes)} belong to no upload since a day`,
      'the service removes them every hour: start it, or see its log; `errgate prune` removes them now',
    );
  }
  if (full.length > 0) {
    return warn(
      CHECK,
      `nearly as large as ${bytesText(projectMaxBytes)}, above which uploads are removed, those in use last: ${shown(full)}`,
      'raise ERRGATE_ARTIFACT_MAX_BYTES, or remove old ones with `errgate artifact remove`',
    );
  }
  return ok(
    CHECK,
    uploads === 0 ? 'none' : `${counted(uploads, 'upload')} with ${bytesText(bytes)}, all files are there`,
  );
}

async function readKept(store: CheckedStore, projectMaxBytes: number): Promise<Kept> {
  const files = new Set<string>();
  const full: string[] = [];
  const incomplete: string[] = [];
  let [uploads, bytes] = [0, 0];
  for (const { id, path } of await store.listProjects()) {
    const bundles = await store.bundleUses(id);
    const stored = storedBytesOf(bundles);
    uploads += bundles.length;
    bytes += stored;
    if (stored >= NEARLY_FULL * projectMaxBytes) full.push(`${path} (${bytesText(stored)})`);
    for (const { id: bundleId } of bundles) {
      const bundle = await store.bundle(id, bundleId);
      if (bundle === null) continue;
      const named = filesOf(bundle, await store.mapsOfBundle(id, bundle.id));
      const missing = await missingFiles(store, named);
      // One that is not complete is being written, or is removed after a day.
      if (bundle.complete && missing.length > 0) incomplete.push(`${path} ${bundle.id}`);
      for (const name of named.keys()) files.add(name);
    }
  }
  return { uploads, bytes, full, incomplete, files };
}

/** Finds files that were written before a time and that no upload names. */
async function findOrphans(
  store: CheckedStore,
  named: ReadonlySet<string>,
  before: number,
): Promise<{ readonly files: number; readonly bytes: number }> {
  let [files, bytes] = [0, 0];
  for (const prefix of NAMED_BY_ROWS) {
    for (let after: string | null = null; ;) {
      const page = await store.listFiles(prefix, after, PAGE);
      for (const file of page) {
        if (named.has(file.name) || file.putAt >= before) continue;
        files += 1;
        bytes += file.bytes;
      }
      after = page.at(-1)?.name ?? null;
      if (after === null) break;
    }
  }
  return { files, bytes };
}

function shown(names: readonly string[]): string {
  const more = names.length > SHOWN ? [`and ${names.length - SHOWN} more`] : [];
  return [...names.slice(0, SHOWN), ...more].join(', ');
}
