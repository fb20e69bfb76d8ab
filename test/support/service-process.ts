import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { programEnv } from './program-env.ts';
import { atExit } from './run-end.ts';

export interface FirstStart {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  readonly token: string;
  readonly project_id: number;
  readonly project_path: string;
  readonly dsn: string;
}

/** Service started by the command line. */
export interface StartedService {
  /** Output on stdout until the service was ready. */
  readonly output: string;
  readonly url: string;
  /** Data of the first start. Throws before it is complete, for example while the store is unavailable. */
  readonly first: FirstStart;
  /** Sends an authenticated GET to a path below the address and returns the parsed JSON. */
  get(path: string): Promise<unknown>;
  /** Output on stdout and stderr so far. */
  log(): string;
  /** Sends a signal and waits for the end; returns the exit code, null after a signal. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** Service in a process of its own. */
export interface ServiceProcess extends StartedService {
  readonly child: ChildProcess;
}

/** Writes a configuration into a data dir; returns the folder for `ERRGATE_CONFIG_DIR`. */
export function writeConfig(dataDir: string, config: object): string {
  const folder = join(dataDir, 'config');
  mkdirSync(folder);
  writeFileSync(join(folder, 'local.json'), JSON.stringify(config));
  return folder;
}

/**
 * Starts the built program on a data dir and waits for its ready line. `shared`: output of the first start of a
 * shared store, for further gateways. `root`: folder of the program; absent: this checkout.
 */
export async function startServiceProcess(
  dataDir: string,
  env: NodeJS.ProcessEnv = {},
  shared?: FirstStart,
  root?: string,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, ['bin/errgate.js', 'serve'], {
    ...(root === undefined ? {} : { cwd: root }),
    env: programEnv({ ERRGATE_PORT: '0', ERRGATE_DATA_DIR: dataDir, ERRGATE_LOG_LEVEL: 'warn', ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = atExit(() => child.kill('SIGKILL'));
  child.once('exit', ended);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  let log = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (log += chunk.toString()));
  let output = '';
  let ready = false;
  for await (const line of createInterface({ input: child.stdout })) {
    output += `${line}\n`;
    if (/is ready on/.test(line)) {
      ready = true;
      break;
    }
  }
  if (!ready) throw new Error(`errgate ended before it was ready:\n${output}${errors}`);
  child.stdout.resume();
  const service = readStarted(dataDir, output, shared);
  const end = async (signal: NodeJS.Signals): Promise<number | null> => {
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const ended = new Promise<number | null>((resolve) => child.once('exit', (code) => resolve(code)));
    child.kill(signal);
    return ended;
  };
  return Object.assign(service, { child, log: () => log, end });
}

/** Reads the files that a ready service has written to its data dir. `first` is read on access. */
export function readStarted(dataDir: string, output: string, shared?: FirstStart): Omit<StartedService, 'end' | 'log'> {
  const run = JSON.parse(readFileSync(join(dataDir, 'run.json'), 'utf8')) as { url: string };
  let first = shared;
  const service = {
    output,
    url: run.url,
    get first() {
      first ??= JSON.parse(readFileSync(join(dataDir, 'first-start.json'), 'utf8')) as FirstStart;
      return first;
    },
    get: async (path: string): Promise<unknown> => {
      const answer = await fetch(run.url + path, { headers: { 'PRIVATE-TOKEN': service.first.token } });
      if (!answer.ok) throw new Error(`GET ${path} answered ${answer.status}: ${await answer.text()}`);
      return answer.json();
    },
  };
  return service;
}

/** Milliseconds between two requests: more after a longer wait, so that a long one costs little processor time. */
const restAfter = (waitedMs: number): number => Math.min(100, 25 + waitedMs / 10);

/** Repeats a request until the answer is satisfactory. Throws after `limitMs` with the last answer. */
export async function eventually<T>(
  ask: () => Promise<T>,
  satisfied: (answer: T) => boolean,
  limitMs = 30_000,
): Promise<T> {
  const began = Date.now();
  for (;;) {
    const answer = await ask();
    if (satisfied(answer)) return answer;
    const waited = Date.now() - began;
    if (waited > limitMs)
      throw new Error(`not reached within ${limitMs} ms; last: ${JSON.stringify(answer).slice(0, 500)}`);
    await new Promise((resolve) => setTimeout(resolve, restAfter(waited)));
  }
}

export interface MovingOptions<T> {
  readonly satisfied: (answer: T) => boolean;
  /** Measure of progress; it must change while the awaited state can still come. */
  readonly progress: (answer: T) => number;
  /** Milliseconds without progress after which the wait fails. */
  readonly stallMs: number;
  /** Further facts for the message of a failure. */
  readonly context: () => string;
}

/**
 * Repeats a request four times a second until the answer is satisfactory.
 * Has no total time limit, because machines differ in speed; fails only when progress stops.
 * An exception of `ask` counts as no progress. Throws with the history and the context.
 */
export async function eventuallyMoving<T>(ask: () => Promise<T>, options: MovingOptions<T>): Promise<T> {
  const { satisfied, progress, stallMs, context } = options;
  const began = Date.now();
  const steps: string[] = [];
  let best: number | null = null;
  let movedAt = began;
  for (;;) {
    let trouble = '';
    try {
      const answer = await ask();
      if (satisfied(answer)) return answer;
      const now = progress(answer);
      if (best === null || now !== best) {
        best = now;
        movedAt = Date.now();
        steps.push(`${Math.round((movedAt - began) / 1000)} s: ${now}`);
      }
    } catch (error) {
      trouble = `; last answer: ${(error as Error).message}`;
    }
    if (Date.now() - movedAt > stallMs)
      throw new Error(`nothing moves for ${stallMs} ms (${steps.slice(-20).join(', ')})${trouble}\n${context()}`);
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

/** Attempts after which at least one should have met a quiet machine. */
const TURNS = 4;

/**
 * Milliseconds until a change is visible, in the first attempt within `limitMs`, or the minimum of a few attempts.
 * `change` applies it and may undo the last one; `seen` checks each observer.
 */
export async function seenAfter(
  change: () => Promise<unknown>,
  seen: readonly (() => Promise<boolean>)[],
  limitMs: number,
): Promise<number> {
  let best = Infinity;
  for (let turn = 0; turn < TURNS && best > limitMs; turn += 1) {
    await change();
    const began = performance.now();
    await Promise.all(seen.map((ask) => eventually(ask, Boolean)));
    best = Math.min(best, performance.now() - began);
  }
  return best;
}
