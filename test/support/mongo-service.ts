import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultProxy } from './fault-proxy.ts';
import { TestDatabases, withDatabase } from './mongo-engine.ts';
import { type ServiceChild, spawnService } from './service-child.ts';
import { callServe, type ServeCall } from './service-here.ts';

/** New database behind a proxy, with any number of gateways. */
export class MongoServices {
  readonly #folder = mkdtempSync(join(tmpdir(), 'errgate-mongo-'));
  readonly #engine: string;
  readonly #databases: TestDatabases;
  readonly #children: ServiceChild[] = [];
  readonly #calls: ServeCall[] = [];
  readonly #name: string;
  readonly proxy: FaultProxy;
  readonly secretKey = randomBytes(32).toString('hex');

  private constructor(engine: string, proxy: FaultProxy) {
    this.#engine = engine;
    this.#databases = new TestDatabases(engine);
    this.#name = this.#databases.name();
    this.proxy = proxy;
  }

  static async create(engine: string): Promise<MongoServices> {
    return new MongoServices(engine, await FaultProxy.start({ engine }));
  }

  dataDir(name: string): string {
    return join(this.#folder, name);
  }

  /** Environment of a gateway, and of commands beside it. */
  env(name: string): NodeJS.ProcessEnv {
    return {
      ERRGATE_DATA_DIR: this.dataDir(name),
      ERRGATE_STORE_URL: this.proxy.uri(this.#name),
      ERRGATE_SECRET_KEY: this.secretKey,
      ERRGATE_PORT: '0',
      ERRGATE_MIN_FREE_DISK: '1',
    };
  }

  /** Address of the database without the proxy. */
  get directUri(): string {
    return withDatabase(this.#engine, this.#name);
  }

  start(name: string, env: NodeJS.ProcessEnv = {}): ServiceChild {
    const child = spawnService({ ...this.env(name), ...env });
    this.#children.push(child);
    return child;
  }

  /** Starts a gateway inside this process, for tests that need neither a crash nor memory figures nor a log. */
  async serve(name: string, env: NodeJS.ProcessEnv = {}): Promise<ServeCall> {
    const call = await callServe({ ...this.env(name), ...env });
    this.#calls.push(call);
    return call;
  }

  async remove(): Promise<void> {
    await Promise.all(this.#children.splice(0).map((child) => child.end('SIGKILL')));
    // Restores the proxy first: a gateway that waits for its database would delay the stop.
    this.proxy.restore();
    await Promise.all(this.#calls.splice(0).map((call) => call.end()));
    await this.proxy.close();
    await this.#databases.dropAll();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
