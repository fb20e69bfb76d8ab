import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const MIGRATIONS = 'src/storage/mongo/schema/migrations.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Number of migrations at a commit, each of which has a numbered comment. */
const schemaAt = (commit: string, path: string): number =>
  git('show', `${commit}:${path}`).match(/^ {2}\/\/ \d+:/gm)?.length ?? 0;

/** What decides whether a gateway opens a database: the schema's number, the collections and their indexes. */
const SCHEMA = [MIGRATIONS, 'src/storage/mongo/engine/collections.ts', 'src/storage/records/kinds'];

/**
 * Returns the oldest commit from which on databases are the same, or the newest one with an older schema. Null without a
 * history, as in a package or a shallow clone.
 */
export function olderCommit(schema: 'same' | 'older'): string | null {
  try {
    if (schema === 'same') return git('log', '-1', '--format=%H', '--', ...SCHEMA);
    // The file may have been moved: each commit is followed by its path there.
    const log = git('log', '--follow', '--format=%H', '--name-only', '--', MIGRATIONS).split(/\s+/);
    const changes = log.flatMap((commit, at) =>
      /^[0-9a-f]{40}$/.test(commit) ? [[commit, log[at + 1] ?? ''] as const] : [],
    );
    const [newest] = changes;
    if (newest === undefined) return null;
    const present = schemaAt(...newest);
    const older = changes.findIndex((change) => schemaAt(...change) < present);
    const [first] = changes[older - 1] ?? [];
    return first === undefined ? null : git('rev-parse', '--verify', `${first}^`);
  } catch {
    return null;
  }
}

/** Commit of each release from which its program can be built. */
const RELEASES: Readonly<Record<string, string>> = { '0.1.0': '4df4d113' };

/** Returns the commit of a release. Null without a history, as in a package or a shallow clone. */
export function releaseCommit(release: string): string | null {
  try {
    return git('rev-parse', '--verify', '--quiet', `${RELEASES[release] ?? `v${release}`}^{commit}`);
  } catch {
    return null;
  }
}

/**
 * Builds the program of a commit, with the packages and the pages of this checkout, which must be built. Returns its
 * folder, which is kept in `.cache` for the next run.
 */
export function buildOlderVersion(commit: string): string {
  const kept = join(ROOT, '.cache', 'versions', git('rev-parse', commit));
  if (existsSync(kept)) return kept;
  mkdirSync(join(ROOT, '.cache', 'versions'), { recursive: true });
  const root = mkdtempSync(`${kept}-`);
  const files = execFileSync('git', ['archive', commit, 'src', 'config', 'bin', 'package.json'], {
    cwd: ROOT,
    maxBuffer: 256 * 1024 * 1024,
  });
  execFileSync('tar', ['-x', '-C', root], { input: files });
  for (const name of ['tsconfig.json', 'tsconfig.build.json']) cpSync(join(ROOT, name), join(root, name));
  symlinkSync(join(ROOT, 'node_modules'), join(root, 'node_modules'));
  const compiler = join(ROOT, 'node_modules', 'typescript-7', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.build.json', '--noCheck', '--outDir', 'dist'], {
    cwd: root,
  });
  cpSync(join(ROOT, 'dist', 'ui'), join(root, 'dist', 'ui'), { recursive: true });
  // Moved into place, so that an interrupted build is none.
  renameSync(root, kept);
  return kept;
}
