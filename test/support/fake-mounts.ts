import { promises } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';

/** Runs the body while `/proc/self/mountinfo` of this process reads as given. */
export async function withMounts<T>(mounts: string, body: () => Promise<T>): Promise<T> {
  const { readFile } = promises;
  promises.readFile = Object.assign(
    (...args: Parameters<typeof readFile>) =>
      args[0] === '/proc/self/mountinfo' ? Promise.resolve(mounts) : readFile(...args),
    readFile,
  );
  syncBuiltinESMExports();
  try {
    return await body();
  } finally {
    promises.readFile = readFile;
    syncBuiltinESMExports();
  }
}

/** Lines of a machine whose root has the file system. */
export function mountsOf(name: string): string {
  return `1 2 3:4 / / rw,relatime shared:1 - ${name} source rw\n`;
}
