import { readFile, realpath } from 'node:fs/promises';

/**
 * Returns the name that Linux gives to the file system of an existing folder: `ext4`, `nfs4`, `fuse.sshfs`. Returns null
 * on other systems and where it cannot be found out. Mounts are read, because `statfs` on 9p answers with the type of
 * the server's file system and does not tell one FUSE program from another.
 */
export async function fileSystemAt(dir: string): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  try {
    const mounts = await readFile('/proc/self/mountinfo', 'utf8');
    return fileSystemOf(await realpath(dir), mounts);
  } catch {
    return null;
  }
}

/**
 * Returns the name of the file system at an absolute path, by the lines of `/proc/self/mountinfo`; null when none is.
 */
export function fileSystemOf(path: string, mounts: string): string | null {
  let found: { readonly point: string; readonly name: string } | null = null;
  for (const [, escaped = '', name = ''] of mounts.matchAll(/^(?:\S+ ){4}(\S+) .* - (\S+) /gm)) {
    const point = escaped.replace(/\\(\d{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
    const holds = path === point || path.startsWith(point.endsWith('/') ? point : `${point}/`);
    // Of mounts at one point the last one is seen.
    if (holds && point.length >= (found?.point.length ?? 0)) found = { point, name };
  }
  return found?.name ?? null;
}
