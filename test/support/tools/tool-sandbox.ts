import { mkdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { runProgram } from '../sdks/run-program.ts';
import type { ProgramRun } from '../sdks/sdk-client.ts';

/** Milliseconds for one call of a tool on a busy machine. */
const PATIENCE_MS = 300_000;

/** Switches off what tools send to their maker. */
const SILENT = {
  SENTRY_DISABLE_UPDATE_CHECK: '1',
  SENTRY_CLI_NO_TELEMETRY: '1',
  SENTRY_CLI_NO_UPDATE_CHECK: '1',
  DO_NOT_TRACK: '1',
};

/** Runs tools as a build machine does: without a home folder, and with no way out but loopback. */
export interface ToolSandbox {
  run(command: readonly [string, ...string[]], cwd: string, env?: NodeJS.ProcessEnv): Promise<ProgramRun>;
  /** Addresses outside loopback that the tools asked for. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts a sandbox with its files in a folder. */
export async function openToolSandbox(folder: string): Promise<ToolSandbox> {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.writeHead(502).end();
  });
  proxy.on('connect', (request, socket) => {
    asked.push(`CONNECT ${request.url ?? ''}`);
    socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n');
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  const through = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const proxies = Object.fromEntries(
    ['http_proxy', 'https_proxy', 'all_proxy'].flatMap((name) => [
      [name, through],
      [name.toUpperCase(), through],
    ]),
  );
  const base = {
    ...{ PATH: `${dirname(process.execPath)}:${process.env['PATH'] ?? ''}`, LANG: 'C.UTF-8', NO_COLOR: '1', ...SILENT },
    ...{ ...proxies, no_proxy: '127.0.0.1', NO_PROXY: '127.0.0.1', NODE_USE_ENV_PROXY: '1' },
    // Tools of Node.js start in a third of the time.
    NODE_COMPILE_CACHE: join(folder, 'compile-cache'),
  };
  let homes = 0;
  return {
    asked,
    run([program, ...args], cwd, env = {}) {
      const home = join(folder, `home-${(homes += 1)}`);
      mkdirSync(home);
      return runProgram(program, args, {
        ...{ cwd, patienceMs: PATIENCE_MS, only: true },
        env: { ...base, HOME: home, TMPDIR: home, ...env },
      });
    },
    async close() {
      proxy.closeAllConnections();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}
