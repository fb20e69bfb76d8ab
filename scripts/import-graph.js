/**
 * Draws the folders of src/ and their imports into docs/architecture.md. With --check, fails when the page is out of
 * date.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { cruise } from 'dependency-cruiser';

const PAGE = 'docs/architecture.md';
const MARKS = ['<!-- import-graph:begin -->', '<!-- import-graph:end -->'];

/** Maps `src/gateway/app.ts` to `gateway`; files directly in src/ map to themselves. */
function room(path) {
  const match = /^src\/([^/]+)/.exec(path);
  if (match) return match[1].replace(/\.ts$/, '');
  return path.startsWith('config/') ? 'config' : null;
}

const { output } = await cruise(['src', 'config'], {
  doNotFollow: { path: 'node_modules' },
  exclude: { path: 'node_modules' },
  tsPreCompilationDeps: true,
  enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import'] },
});
const arrows = new Set();
for (const module of output.modules) {
  const from = room(module.source);
  for (const dependency of module.dependencies) {
    const to = room(dependency.resolved);
    if (from !== null && to !== null && from !== to) arrows.add(`  ${from} --> ${to}`);
  }
}
const graph = [MARKS[0], '', '```mermaid', 'flowchart TD', ...[...arrows].sort(), '```', '', MARKS[1]].join('\n');

const page = readFileSync(PAGE, 'utf8');
const from = page.indexOf(MARKS[0]);
const to = page.indexOf(MARKS[1]);
if (from === -1 || to === -1) throw new Error(`${PAGE} has lost its import-graph marks`);
const fresh = page.slice(0, from) + graph + page.slice(to + MARKS[1].length);
if (process.argv.includes('--check')) {
  if (fresh !== page) {
    console.error(`${PAGE} shows an old import graph; run npm run import-graph`);
    process.exitCode = 1;
  }
} else {
  writeFileSync(PAGE, fresh);
}
