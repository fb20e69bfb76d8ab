import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const MIGRATIONS = 'src/storage/mongo/schema/migrations.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/** Number of migrations at a commit, each of which has a numbered comment. */
const schemaAt = (commit: string, path: string): number =>
  git('show', `${commit}:${path}`).match(/^ {2}\/\/ \d+:/gm)?.length ?? 0;

/**
 * Returns the oldest commit with the MongoDB schema of this checkout, or the newest one with an older schema. Null without a history, as in a package or a shallow clone.
 */
export function olderCommit(schema: 'same' | 'older'): string | null {
  try {
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
    if (first === undefined) return null;
    return schema === 'same' ? first : git('rev-parse', '--verify', `${first}^`);
  } catch {
    return null;
  }
}

export interface OlderVersion {
  /** Folder with its built program. */
  readonly root: string;
  remove(): void;
}

/** Builds the program of a commit, with the packages and the pages of this checkout, which must be built. */
export function buildOlderVersion(commit: string): OlderVersion {
  const root = mkdtempSync(join(tmpdir(), 'errgate-older-'));
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
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
