import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FaultProxy } from './fault-proxy.ts';
import { TestDatabases, withDatabase } from './mongo-engine.ts';
import { ReadyDatabase } from './ready-databases.ts';
import { type ServiceChild, spawnService } from './service-child.ts';
import { callServe, type ServeCall } from './service-here.ts';

/** Empty database behind a proxy, with any number of gateways. */
export class MongoServices {
  readonly #folder = mkdtempSync(join(tmpdir(), 'errgate-mongo-'));
  readonly #end: () => Promise<void>;
  readonly #children: ServiceChild[] = [];
  readonly #calls: ServeCall[] = [];
  readonly #name: string;
  /** Address of the database without the proxy. */
  readonly directUri: string;
  readonly proxy: FaultProxy;
  readonly secretKey = randomBytes(32).toString('hex');

  private constructor(engine: string, name: string, proxy: FaultProxy, end: () => Promise<void>) {
    this.directUri = withDatabase(engine, name);
    this.#name = name;
    this.proxy = proxy;
    this.#end = end;
  }

  /** `ready`: the database is set up already. `new`: the first gateway sets it up, which takes two seconds. */
  static async create(engine: string, kind: 'ready' | 'new' = 'ready'): Promise<MongoServices> {
    const proxy = await FaultProxy.start({ engine });
    if (kind === 'ready') {
      const database = await ReadyDatabase.take(engine).setUp();
      return new MongoServices(engine, database.name, proxy, () => database.releaseAll());
    }
    const databases = new TestDatabases(engine);
    return new MongoServices(engine, databases.name(), proxy, () => databases.dropAll());
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
    await this.#end();
    rmSync(this.#folder, { recursive: true, force: true });
  }
}
