import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../src/cli/program.ts';
import type { CliResult } from './cli-process.ts';

/** Stream that collects its output and calls `onChange` after each chunk. */
export class Kept extends Writable {
  readonly #chunks: Buffer[] = [];
  readonly #onChange: () => void;

  constructor(onChange: () => void = () => undefined) {
    super();
    this.#onChange = onChange;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: () => void): void {
    this.#chunks.push(chunk);
    this.#onChange();
    done();
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** Text typed at a terminal, as `input` of a call. */
export function typed(text: string): Readable {
  return Object.assign(Readable.from([text]), { isTTY: true });
}

/**
 * Runs a command from the sources inside this process, which is faster than a new process. Not suitable for `serve`,
 * nor for tests of signals, a terminal, or pipes that close.
 */
export async function callErrgate(
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  input: string | Readable = '',
): Promise<CliResult> {
  const stdin = typeof input === 'string' ? Readable.from(input === '' ? [] : [Buffer.from(input)]) : input;
  const [stdout, stderr] = [new Kept(), new Kept()];
  const code = await runCli(args, {
    env: { ...process.env, ...env },
    stdin,
    stdout,
    stderr,
    signals: new EventEmitter(),
  });
  return { code, stdout: stdout.text(), stderr: stderr.text() };
}
