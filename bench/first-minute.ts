/**
 * `npm run bench:first-minute`: measures the first use after a clone: `npm ci`, `npm start`, an error through a real
 * SDK, and the error on the page in Chromium. Fails above `LIMIT_SECONDS`. `-- --write` updates bench/README.md and
 * bench/results/first-minute.json; `--note TEXT` adds a note.
 */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { chromium } from 'playwright-core';
import { machineName } from './measure/machine.ts';
import { table, writeFigures } from './measure/report.ts';
import { ARGUMENTS, chromiumPath } from '../test/support/browser.ts';
import type { FirstStart } from '../test/support/service-process.ts';

const LIMIT_SECONDS = 60;
const PAGE = 'bench/README.md';
const MESSAGE = 'the first error of my own';

/** Files and folders that do not exist after a clone. */
const MADE = new Set(['node_modules', 'dist', 'data', '.cache', '.git', 'coverage']);

const REPORT = `
import * as Sentry from '@sentry/node';
Sentry.init({ dsn: process.env.DSN });
Sentry.captureException(new Error('${MESSAGE}'));
if (!(await Sentry.flush(20_000))) process.exit(1);
`;

interface Step {
  readonly name: string;
  readonly seconds: number;
}

const { values } = parseArgs({
  options: { write: { type: 'boolean', default: false }, note: { type: 'string', default: '' } },
});
const executablePath = chromiumPath();
if (executablePath === null) throw new Error('there is no Chromium; install it or name it in ERRGATE_TEST_CHROMIUM');

const folder = mkdtempSync(join(tmpdir(), 'errgate-first-minute-'));
const steps: Step[] = [];
let service: ChildProcess | null = null;

async function timed<T>(name: string, run: () => T | Promise<T>): Promise<T> {
  const began = performance.now();
  const result = await run();
  steps.push({ name, seconds: (performance.now() - began) / 1000 });
  console.error(`${name}: ${steps.at(-1)?.seconds.toFixed(1) ?? ''} s`);
  return result;
}

/** Copies the current files of the checkout, committed or not. */
function copyCheckout(): void {
  if (!existsSync('.git')) {
    cpSync('.', folder, { recursive: true, filter: (path) => !MADE.has(path) });
    return;
  }
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    encoding: 'utf8',
  });
  for (const path of listed.split('\0')) if (path !== '' && existsSync(path)) cpSync(path, join(folder, path));
}

async function start(): Promise<FirstStart> {
  const env = { ...process.env, ERRGATE_PORT: '0', NODE_ENV: undefined };
  service = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'], detached: true });
  const { stdout } = service;
  if (stdout === null) throw new Error('npm start has no output');
  for await (const line of createInterface({ input: stdout })) {
    if (!/is ready on/.test(line)) continue;
    stdout.resume();
    return JSON.parse(readFileSync(join(folder, 'data', 'first-start.json'), 'utf8')) as FirstStart;
  }
  throw new Error('npm start ended before the service was ready');
}

/** Signs in, and waits until the error is in the list. */
async function see(first: FirstStart): Promise<void> {
  const browser = await chromium.launch({ executablePath: executablePath ?? '', args: ARGUMENTS });
  try {
    const page = await browser.newPage();
    await page.goto(first.url);
    await page.getByLabel('Username').fill(first.username);
    await page.getByLabel('Password').fill(first.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Later' }).click();
    await page.getByRole('link', { name: /shop/i }).first().click();
    await page.getByRole('link', { name: new RegExp(MESSAGE) }).waitFor();
  } finally {
    await browser.close();
  }
}

/** Stops the process group, because the service is a child of `npm start`. */
async function stop(): Promise<void> {
  if (service?.pid === undefined || service.exitCode !== null) return;
  const ended = new Promise((resolve) => service?.once('exit', resolve));
  process.kill(-service.pid, 'SIGTERM');
  await ended;
}

try {
  copyCheckout();
  const quiet = ['ignore', 'ignore', 'inherit'] as const;
  await timed('`npm ci`', () => execFileSync('npm', ['ci'], { cwd: folder, stdio: [...quiet] }));
  const first = await timed('`npm start`, which builds, until the service is ready', start);
  await timed('an error of `@sentry/node` sent', () => {
    const env = { ...process.env, DSN: first.dsn };
    execFileSync(process.execPath, ['--input-type=module', '-e', REPORT], { cwd: folder, env, stdio: [...quiet] });
  });
  await timed('Chromium opened, signed in, the error on screen', () => see(first));
} finally {
  await stop();
  rmSync(folder, { recursive: true, force: true });
}

const total = steps.reduce((sum, { seconds }) => sum + seconds, 0);
const date = new Date().toISOString().slice(0, 10);
const rows = [...steps, { name: '**together**', seconds: total }].map(({ name, seconds }) => [
  name,
  seconds.toFixed(1),
]);
const text = `${date}; ${machineName()}.${values.note === '' ? '' : ` ${values.note}`}\n\n${table(['step', 'seconds'], rows as [string, string][])}`;
console.log(text);
if (values.write) {
  writeFigures(PAGE, text, 'first-minute');
  writeFileSync(PAGE, await format(readFileSync(PAGE, 'utf8'), { ...(await resolveConfig(PAGE)), parser: 'markdown' }));
  const result = {
    date,
    machine: machineName(),
    note: values.note,
    limitSeconds: LIMIT_SECONDS,
    totalSeconds: total,
    steps,
  };
  writeFileSync('bench/results/first-minute.json', `${JSON.stringify(result, null, 2)}\n`);
}
if (total > LIMIT_SECONDS) {
  console.error(`the first minute took ${total.toFixed(1)} s`);
  process.exitCode = 1;
}
