#!/usr/bin/env node
import { existsSync } from 'node:fs';

const [major, minor] = process.versions.node.split('.').map(Number);
const main = new URL('../dist/src/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  console.error(`errgate: Node.js 20.19 or newer is needed, this is ${process.versions.node}`);
  process.exitCode = 1;
} else if (!existsSync(main)) {
  console.error('errgate: there is no build yet; run `npm ci && npm run build` in the checkout');
  process.exitCode = 1;
} else {
  await import(main.href);
}
