import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface WrkFigures {
  readonly requests: number;
  readonly seconds: number;
  readonly non2xx: number;
  readonly socket_errors: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** How often the ready-made bodies were begun again; absent for others. */
  readonly repeated?: number;
}

/** Connections of wrk. At the end each may have one request whose answer is not read. */
export const WRK_CONNECTIONS = 32;

export interface Target {
  readonly path: string;
  readonly key: string;
}

/**
 * Runs wrk with one thread and 32 connections. It posts bench/data/python-event.json with unique ids; `others`: further
 * targets, which get events in turn.
 */
export function runWrk(
  port: number,
  path: string,
  key: string,
  seconds: number,
  seed: number,
  others: readonly Target[] = [],
): Promise<WrkFigures> {
  const further = others.flatMap((target) => [target.path, target.key]);
  const args = ['bench/data/python-event.json', path, key, String(seed), ...further];
  return run('bench/load/post-event.lua', port, WRK_CONNECTIONS, seconds, args);
}

/** Bodies that `writeEnvelopes` has written. */
export interface ReadyBodies {
  readonly file: string;
  readonly connections: number;
}

/** Runs wrk with one thread. It posts ready-made bodies from a file; begins again at its end (`repeated`). */
export function runReadyWrk(
  port: number,
  { path, key }: Target,
  { file, connections }: ReadyBodies,
  seconds: number,
): Promise<WrkFigures> {
  return run('bench/load/post-ready.lua', port, connections, seconds, [file, path, key]);
}

async function run(
  script: string,
  port: number,
  connections: number,
  seconds: number,
  args: readonly string[],
): Promise<WrkFigures> {
  const options = ['-t1', `-c${connections}`, `-d${seconds}s`, '--timeout', '30s', '-s', script];
  const { stdout } = await promisify(execFile)('wrk', [...options, `http://127.0.0.1:${port}/`, '--', ...args]);
  const json = /^JSON (.*)$/m.exec(stdout)?.[1];
  if (json === undefined) throw new Error(`wrk printed no figures:\n${stdout}`);
  return JSON.parse(json) as WrkFigures;
}
