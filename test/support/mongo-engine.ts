import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mongo } from 'mongoose';
import { mongoHosts } from '../../src/storage/mongo/mongo-hosts.ts';

const run = promisify(execFile);

/** Where the engine for tests is; undefined where there is none. */
export const MONGO_URI = process.env['ERRGATE_TEST_MONGODB_URI'];

const HOW =
  'set ERRGATE_TEST_MONGODB_URI to a mongod >= 7 (for example mongodb://127.0.0.1:27017/?directConnection=true) to run it';

/** Start and stop of the engine beside the checkout. */
const SCRIPTS = join(import.meta.dirname, '..', '..', '..', 'shared', 'mongodb');

function skipLoudly(title: string, why: string): void {
  describe(title, () => {
    it('was not run', function () {
      console.log(`      SKIPPED MongoDB: ${title}: ${why}`);
      this.skip();
    });
  });
}

/** A suite that needs the engine. Without one it says how to get it and is counted as skipped. */
export function describeOnMongo(title: string, body: (this: Mocha.Suite, uri: string) => void): void {
  if (MONGO_URI === undefined) {
    skipLoudly(title, HOW);
    return;
  }
  const uri = MONGO_URI;
  describe(title, function () {
    body.call(this, uri);
  });
}

/** A suite that stops and starts the engine itself. Needs the engine that the scripts beside the checkout run. */
export function describeOnOwnEngine(title: string, body: (this: Mocha.Suite, engine: MongoEngine) => void): void {
  const engine = MongoEngine.find();
  if (typeof engine === 'string') {
    skipLoudly(title, engine);
    return;
  }
  describe(title, function () {
    body.call(this, engine);
  });
}

/** The engine as something that can be switched off. */
export class MongoEngine {
  readonly uri: string;

  private constructor(uri: string) {
    this.uri = uri;
  }

  /** The reason where there is no engine that may be stopped. */
  static find(): MongoEngine | string {
    if (MONGO_URI === undefined) return HOW;
    if (!existsSync(join(SCRIPTS, 'start')))
      return 'it needs the scripts that stop and start the engine, which are not here';
    const host = mongoHosts(MONGO_URI);
    const own = `127.0.0.1:${process.env['ERRGATE_TEST_MONGODB_PORT'] ?? '27600'}`;
    return host === own
      ? new MongoEngine(MONGO_URI)
      : `the engine at ${host} is not the one that the scripts stop and start`;
  }

  /** Ends it as a power cut would. */
  async kill(): Promise<void> {
    await run(join(SCRIPTS, 'stop'), ['--kill']);
  }

  /** Nothing happens where it runs already. */
  async start(): Promise<void> {
    await run(join(SCRIPTS, 'start'), []);
  }
}

/** Databases of one suite, each with a unique name. */
export class TestDatabases {
  readonly #uri: string;
  readonly #names: string[] = [];

  constructor(uri: string) {
    this.#uri = uri;
  }

  name(): string {
    const name = `errgate_test_${process.pid}_${randomBytes(4).toString('hex')}`;
    this.#names.push(name);
    return name;
  }

  /** Address of a new database. */
  create(): string {
    return withDatabase(this.#uri, this.name());
  }

  async dropAll(): Promise<void> {
    await withClient(this.#uri, async (client) => {
      for (const name of this.#names.splice(0)) await client.db(name).dropDatabase();
    });
  }
}

/** The parts of an address. It may name several hosts, which is no URL in the eyes of `URL`. */
const ADDRESS = /^(?<scheme>mongodb(?:\+srv)?:\/\/)(?<hosts>[^/?]+)(?:\/[^?]*)?(?:\?(?<options>.*))?$/;

/** The same address with another database. */
export function withDatabase(uri: string, database: string): string {
  const { scheme, hosts, options = '' } = partsOf(uri);
  return `${scheme}${hosts}/${database}${options === '' ? '' : `?${options}`}`;
}

/** The same address with one more option. */
export function withOption(uri: string, name: string, value: string): string {
  return `${uri}${uri.includes('?') ? '&' : '?'}${name}=${value}`;
}

/** Adds credentials to an address. */
export function withCredentials(uri: string, user: string, password: string): string {
  const { scheme } = partsOf(uri);
  return `${scheme}${user}:${password}@${uri.slice(scheme.length)}`;
}

function partsOf(uri: string): { scheme: string; hosts: string; options?: string } {
  const parts = ADDRESS.exec(uri)?.groups as ReturnType<typeof partsOf> | undefined;
  if (parts === undefined) throw new Error('ERRGATE_TEST_MONGODB_URI is no MongoDB address');
  return parts;
}

/** A plain driver connection for looking at what is stored, and for breaking it. */
export async function withClient<T>(uri: string, work: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  const client = new mongo.MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
