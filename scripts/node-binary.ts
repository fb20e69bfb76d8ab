/**
 * Other versions of Node.js for tests and measurements, from the npm registry, kept in `.cache/nodes`. As a program,
 * `node --import=tsx scripts/node-binary.ts 24` prints the path of the binary.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

/**
 * Returns the path of the newest `node` of a version (`24`, `22.15` or `20.19.0`) and installs it when missing. Throws
 * when the registry has no binary for this system.
 */
export function nodeBinary(version: string): string {
  if (!/^\d+(\.\d+){0,2}$/.test(version)) throw new Error(`${version} is no version of Node.js: name one such as 24`);
  const name = `node-${process.platform}-${process.arch}`;
  const folder = join(ROOT, '.cache', 'nodes', version);
  const binary = join(folder, 'node_modules', name, 'bin', 'node');
  if (!existsSync(binary)) {
    mkdirSync(folder, { recursive: true });
    execFileSync('npm', ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${version}`], {
      cwd: folder,
      // Standard output is for the path.
      stdio: ['ignore', 2, 2],
    });
  }
  return binary;
}

const [, program, version] = process.argv;
if (program !== undefined && import.meta.url === pathToFileURL(program).href) {
  console.log(nodeBinary(version ?? process.versions.node));
}
