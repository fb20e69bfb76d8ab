/**
 * `npm run dev`: runs the service from its sources and restarts it after changes in `src/` or `config/`. The dev server
 * of the pages runs in front of it and applies changes in `ui/` without restart. Ctrl-C ends both.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { watch } from 'chokidar';
import { createServer } from 'vite';
import { loadConfig } from '../config/load.ts';
import { FIRST_START_FILE } from '../src/cli/data-dir/first-start.ts';
import { watchStopSignals } from '../src/cli/call/stop-signals.ts';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
/** Folders whose changes restart the service. */
const SOURCES = ['src', 'config'].map((folder) => join(root, folder));
/** Milliseconds without further changes before a restart: a checkout or a formatter changes many files together. */
const QUIET_MS = 150;
/** Preloaded into the service: shuts it down when this process ends, even by SIGKILL. */
const END_WITH_PARENT = 'data:text/javascript,process.once("disconnect",()=>process.kill(process.pid,"SIGTERM"))';

function say(text) {
  console.error(`dev: ${text}`);
}

/** Returns the environment without the variables of the dev server, which the service rejects as unknown. */
function serviceEnv() {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ERRGATE_DEV_')));
}

/** Runs the service as a child process and restarts it on the port of its first start. */
class Service {
  #env;
  #child = null;
  /** Children that were requested to end. */
  #asked = new WeakSet();
  #turn = Promise.resolve();
  #started = false;
  #closed = false;

  constructor(env) {
    this.#env = env;
  }

  /** Resolves to the address when the service is ready, or to null when it ended before. */
  start() {
    // A separate process group, so that Ctrl-C reaches the child only once, through this process.
    const child = fork('src/main.ts', ['serve'], {
      cwd: root,
      env: this.#env,
      execArgv: ['--import=tsx', `--import=${END_WITH_PARENT}`],
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    });
    this.#child = child;
    child.once('exit', () => {
      this.#child = null;
      if (this.#asked.has(child) || !this.#started) return;
      say('the service has ended by itself; the next change in src/ or config/ starts it again');
    });
    return new Promise((resolve) => {
      child.once('exit', () => resolve(null));
      createInterface({ input: child.stdout }).on('line', (line) => {
        console.log(line);
        const [, url] = /is ready on (\S+)/.exec(line) ?? [];
        if (url === undefined) return;
        this.#started = true;
        this.#env.ERRGATE_PORT = new URL(url).port;
        resolve(url);
      });
    });
  }

  /** Waits for the end of the child, because the next one needs its data dir and its port. */
  async #stop() {
    const child = this.#child;
    if (child === null) return;
    this.#asked.add(child);
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill('SIGTERM');
    await ended;
  }

  restart(reason) {
    this.#turn = this.#turn.then(async () => {
      await this.#stop();
      if (this.#closed) return;
      say(`${reason}: starting the service again`);
      void this.start();
    });
  }

  close() {
    this.#closed = true;
    this.#turn = this.#turn.then(() => this.#stop());
    return this.#turn;
  }

  /** Ends the child without waiting for requests; acknowledged events are in the journal. */
  kill() {
    this.#child?.kill('SIGKILL');
  }
}

/**
 * Restarts the service after changes of its sources. Returns their watcher when all of them are watched: that of the dev
 * server does not say when they are, and a change before that would be missed.
 */
async function watchSources(service) {
  const watcher = watch(SOURCES, { ignoreInitial: true });
  let timer;
  watcher.on('all', (event, file) => {
    clearTimeout(timer);
    timer = setTimeout(() => service.restart(`${relative(root, file)} (${event})`), QUIET_MS);
  });
  await once(watcher, 'ready');
  return watcher;
}

/** Vite plugin that ends the service with the dev server. */
function serviceBehind(service, sources) {
  return {
    name: 'service-behind',
    // A change of `ui/vite.config.ts` restarts the dev server alone.
    async closeServer({ reason }) {
      if (reason === 'restart') return;
      await sources.close();
      await service.close();
    },
  };
}

/** Reads the token of the first start; empty when another gateway created it. */
function firstToken(dataDir) {
  try {
    return JSON.parse(readFileSync(join(dataDir, FIRST_START_FILE), 'utf8')).token;
  } catch {
    return '';
  }
}

/** Creates the dev server of the pages in front of the service at `url`. */
async function createPages(plugin, url, env) {
  process.env.ERRGATE_DEV_URL = url;
  process.env.ERRGATE_DEV_TOKEN ??= firstToken(resolve(root, loadConfig({ env }).dataDir));
  return createServer({ root: join(root, 'ui'), clearScreen: false, plugins: [plugin] });
}

const env = serviceEnv();
const service = new Service(env);
const signals = watchStopSignals(process);
let pages = null;
let stopping = false;
void signals.first.then(() => {
  stopping = true;
  return pages === null ? service.close() : pages.close();
});
void signals.second.then(() => service.kill());

const url = await service.start();
if (url === null) {
  process.exitCode = stopping ? 0 : 1;
} else {
  const sources = await watchSources(service);
  pages = await createPages(serviceBehind(service, sources), url, env);
  if (stopping) {
    await pages.close();
  } else {
    await pages.listen();
    say(`pages with live changes${process.env.ERRGATE_DEV_TOKEN === '' ? '' : ', signed in by token'}:`);
    pages.printUrls();
  }
}
