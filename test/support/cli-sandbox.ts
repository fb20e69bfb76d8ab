import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { callErrgate } from './cli-call.ts';
import type { CliResult } from './cli-process.ts';

export type JsonObject = Record<string, unknown>;

/** Runs commands inside this process with a new data dir. */
export class CliSandbox {
  readonly folder = mkdtempSync(join(tmpdir(), 'errgate-cli-'));
  readonly dataDir = join(this.folder, 'data');
  /** Environment of the commands; tests may change it. */
  env: NodeJS.ProcessEnv = { ERRGATE_DATA_DIR: this.dataDir };

  run(...args: string[]): Promise<CliResult> {
    return callErrgate(args, this.env);
  }

  runWith(input: string | Readable, ...args: string[]): Promise<CliResult> {
    return callErrgate(args, this.env, input);
  }

  /** Runs a command that must succeed; returns its stdout. */
  async done(...args: string[]): Promise<string> {
    const { code, stdout, stderr } = await this.run(...args);
    assert.equal(code, 0, `errgate ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  }

  async object(...args: string[]): Promise<JsonObject> {
    return JSON.parse(await this.done(...args, '--json')) as JsonObject;
  }

  async list(...args: string[]): Promise<JsonObject[]> {
    return JSON.parse(await this.done(...args, '--json')) as JsonObject[];
  }

  /** Runs a command that must fail with this code and message. Checks for the absence of a stack and of a result. */
  async fails(code: number, message: RegExp, ...args: string[]): Promise<void> {
    const result = await this.run(...args);
    assert.equal(result.code, code, `errgate ${args.join(' ')}: ${result.stdout}${result.stderr}`);
    assert.match(result.stderr, message);
    assert.doesNotMatch(result.stderr, /\n\s+at /);
    assert.equal(result.stdout, '');
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Gives every test of the suite its own sandbox; `current` is valid inside tests. */
export function useCliSandbox(): { readonly current: CliSandbox } {
  let sandbox: CliSandbox | null = null;
  beforeEach(() => {
    sandbox = new CliSandbox();
  });
  afterEach(() => {
    sandbox?.remove();
  });
  return {
    get current() {
      assert.ok(sandbox);
      return sandbox;
    },
  };
}

/** Returns the given members of each object, in order. */
export function columns(items: readonly JsonObject[], ...names: string[]): unknown[][] {
  return items.map((item) => names.map((name) => item[name]));
}
