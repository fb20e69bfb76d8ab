import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');
const MIGRATIONS = 'src/storage/mongo/migrations.ts';

const git = (...args: readonly string[]): string =>
  execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] }).trim();

/**
 * Returns the oldest commit with the MongoDB schema of this checkout, or the newest one with an older schema. Null
 * without a history, as in a package or a shallow clone.
 */
export function olderCommit(schema: 'same' | 'older'): string | null {
  try {
    const changed = git('log', '-1', '--format=%H', '--', MIGRATIONS);
    if (changed === '') return null;
    return schema === 'same' ? changed : git('rev-parse', '--verify', `${changed}^`);
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
