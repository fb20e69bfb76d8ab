import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { changeFirstPassword, PASSWORD, SignedIn } from './browser-people.ts';
import { startFrontProxy } from './front-proxy.ts';
import { atExit, atRunEnd } from './run-end.ts';
import { startServiceHere } from './service-here.ts';
import { type FirstStart, type StartedService, writeConfig } from './service-process.ts';

/** Milliseconds that events wait for a batch: less than the default, because tests wait for each event. */
const GATHER_MS = 20;

/** Maximum of projects that are deleted concurrently. */
const DELETED_AT_ONCE = 10;

export interface ServiceOptions {
  readonly env?: NodeJS.ProcessEnv;
  /** Settings without an environment variable, as in a configuration file. */
  readonly config?: object;
  /** Sub-path of the service behind a proxy: `/errgate`. */
  readonly subPath?: string;
  /** Whether the administrator keeps the password of the first start. */
  readonly keepFirstPassword?: boolean;
}

/** Built service in this process, with a new data dir, as an operator starts it. */
export class PagesService {
  readonly url: string;
  readonly signedIn: SignedIn;
  readonly #dataDir: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #end: () => Promise<unknown>;
  readonly #people = new Set<string>();
  #process: StartedService;

  private constructor(process: StartedService, dataDir: string, env: NodeJS.ProcessEnv, end: () => Promise<unknown>) {
    this.#process = process;
    this.#dataDir = dataDir;
    this.#env = env;
    this.#end = end;
    this.url = process.first.url;
    this.signedIn = new SignedIn(this.url);
  }

  static async start({ env: given, config, keepFirstPassword, subPath }: ServiceOptions): Promise<PagesService> {
    const dataDir = mkdtempSync(join(tmpdir(), 'errgate-browser-'));
    const remove = () => rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
    const forget = atExit(remove);
    const front = subPath === undefined ? null : await startFrontProxy(subPath);
    const env = {
      ...given,
      ...(front === null ? {} : { ERRGATE_EXTERNAL_URL: front.url }),
      ERRGATE_CONFIG_DIR: writeConfig(dataDir, { journal: { batchGatherMs: GATHER_MS }, ...config }),
    };
    const process = await startServiceHere(dataDir, env);
    front?.to(process.url);
    const service = new PagesService(process, dataDir, env, async () => {
      await front?.close();
      remove();
      forget();
    });
    if (keepFirstPassword !== true) await changeFirstPassword(service.url, process.first);
    return service;
  }

  get process(): StartedService {
    return this.#process;
  }

  /** Calls the REST API as the administrator. */
  async api(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await fetch(`${this.url}/api/v4${path}`, {
      method,
      headers: { 'PRIVATE-TOKEN': this.#process.first.token, 'Content-Type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    assert.ok(answer.ok, `${method} ${path} answered ${answer.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  }

  /** Creates a user with `PASSWORD`, unless an earlier suite did. Memberships ended with that suite's projects. */
  async person(username: string): Promise<void> {
    if (this.#people.has(username)) return;
    const password = `made for ${username}`;
    await this.api('POST', '/users', { username, password });
    await changeFirstPassword(this.url, { username, password });
    this.#people.add(username);
  }

  /** Deletes all projects and creates the demo project again. Returns the data that a first start writes. */
  async startAgain(): Promise<FirstStart> {
    const { first } = this.#process;
    for (;;) {
      const projects = (await this.api('GET', `/projects?per_page=${DELETED_AT_ONCE}`)) as { readonly id: number }[];
      if (projects.length === 0) break;
      await Promise.all(projects.map(({ id }) => this.api('DELETE', `/projects/${id}`)));
    }
    const { id } = (await this.api('POST', '/projects', { path: first.project_path })) as { readonly id: number };
    const tracking = `/projects/${id}/error_tracking`;
    await this.api('PUT', `${tracking}/settings`, { active: true, integrated: true });
    const [key] = (await this.api('GET', `${tracking}/client_keys`)) as { readonly thirdparty_dsn: string }[];
    return { ...first, password: PASSWORD, project_id: id, dsn: key?.thirdparty_dsn ?? assert.fail('no client key') };
  }

  /** Stops the service. The returned function starts it again with the same data dir and port. */
  async stop(): Promise<() => Promise<void>> {
    const { port } = new URL(this.#process.url);
    await this.#process.end('SIGTERM');
    return async () => {
      this.#process = await startServiceHere(this.#dataDir, { ...this.#env, ERRGATE_PORT: port });
    };
  }

  async end(): Promise<void> {
    await this.#process.end('SIGTERM');
    await this.#end();
  }
}

let shared: Promise<PagesService> | undefined;

/** Settings of the shared service: trackers, forges and receivers of tests are on this machine. */
const SHARED: ServiceOptions = { env: { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' } };

/** Service shared by all suites of this process without `ownService`; started on first use. */
export function sharedService(): Promise<PagesService> {
  shared ??= PagesService.start(SHARED).then((service) => {
    atRunEnd(() => service.end());
    return service;
  });
  return shared;
}
