import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

export interface WrkFigures {
  readonly requests: number;
  readonly seconds: number;
  readonly non2xx: number;
  readonly socket_errors: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

/** Connections of wrk. At the end each may have one request whose answer is not read. */
export const WRK_CONNECTIONS = 32;

/** Runs wrk with one thread and 32 connections. It posts bench/data/python-event.json with unique ids. */
export async function runWrk(
  port: number,
  path: string,
  key: string,
  seconds: number,
  seed: number,
): Promise<WrkFigures> {
  const { stdout } = await promisify(execFile)('wrk', [
    '-t1',
    `-c${WRK_CONNECTIONS}`,
    `-d${seconds}s`,
    '-s',
    'bench/load/post-event.lua',
    `http://127.0.0.1:${port}${path}`,
    '--',
    'bench/data/python-event.json',
    path,
    key,
    String(seed),
  ]);
  const json = /^JSON (.*)$/m.exec(stdout)?.[1];
  if (json === undefined) throw new Error(`wrk printed no figures:\n${stdout}`);
  return JSON.parse(json) as WrkFigures;
}
