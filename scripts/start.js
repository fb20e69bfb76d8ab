/** `npm start`: builds missing or stale parts, then becomes `errgate serve`. */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build, buildExists, buildIsFresh, canBuild } from './build.js';

const bin = new URL('../bin/errgate.js', import.meta.url);

async function ready() {
  if (!existsSync(new URL('../node_modules/commander/package.json', import.meta.url))) {
    console.error('errgate: the dependencies are missing; run `npm ci` first');
    return false;
  }
  if (!canBuild()) {
    if (buildExists()) return true;
    console.error('errgate: no build and no compiler to make one; run `npm ci` with development dependencies first');
    return false;
  }
  if (buildIsFresh()) return true;
  console.error('Building errgate, once (about 20 seconds)…');
  return build();
}

if (await ready()) {
  process.argv = [process.execPath, fileURLToPath(bin), 'serve', ...process.argv.slice(2)];
  await import(bin.href);
} else {
  process.exitCode = 1;
}
