/**
 * `npm run bench:profile`: where the processor time of an event goes, by step and thread, from profiles of the built
 * service (`--cpu-prof`) under the load of `npm run bench`. Includes MongoDB if ERRGATE_TEST_MONGODB_URI is set.
 * Options: --seconds N (per profile, default 10), --rounds N (default 3), --node VERSION (another Node.js: `24`),
 * --keep FOLDER (where the profiles stay, for Chromium's developer tools), --note TEXT (published with the figures),
 * --write (updates bench/results; needs --node).
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { machineName } from './measure/machine.ts';
import { continueOnNode } from './measure/other-node.ts';
import { measureProfile, type ProfileFigures } from './measure/profile.ts';
import { profileReport } from './measure/profile-report.ts';
import { onFresh, storesToMeasure, type StoreName } from './measure/stores.ts';

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '10' },
    rounds: { type: 'string', default: '3' },
    node: { type: 'string' },
    keep: { type: 'string' },
    note: { type: 'string', default: '' },
    write: { type: 'boolean', default: false },
  },
});
if (values.write && values.node === undefined) throw new Error('--write needs --node: the figures are kept by version');
continueOnNode(values.node);
execFileSync(process.execPath, ['scripts/build.js'], { stdio: 'inherit' });

const seconds = Number(values.seconds);
const rounds = Number(values.rounds);
const stores: Partial<Record<StoreName, ProfileFigures[]>> = {};
for (let round = 1; round <= rounds; round += 1) {
  console.error(`round ${round} of ${rounds}`);
  for (const [name, make] of storesToMeasure()) {
    const keep = values.keep === undefined ? undefined : join(values.keep, `${name}-${round}`);
    (stores[name] ??= []).push(await onFresh(make, (store) => measureProfile(store, seconds, keep)));
  }
}
const date = new Date().toISOString().slice(0, 10);
const run = { machine: machineName(), date, seconds, stores, note: values.note };
const options = { ...(await resolveConfig('bench/README.md')), parser: 'markdown' };
const text = (await format(profileReport(run), options)).trim();
console.log(`\n${text}`);
if (values.write) {
  const name = `profile-node-${values.node ?? ''}`;
  const title = `# Processor time of an event on Node.js ${values.node ?? ''}, by step`;
  const command = `\`npm run bench:profile -- --node ${values.node ?? ''} --write\`; see ../README.md.`;
  mkdirSync('bench/results', { recursive: true });
  writeFileSync(join('bench/results', `${name}.json`), `${JSON.stringify(run, null, 2)}\n`);
  writeFileSync(join('bench/results', `${name}.md`), `${[title, command, text].join('\n\n')}\n`);
}
