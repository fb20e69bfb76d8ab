import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { mongo } from 'mongoose';
import { mongoHosts } from '../../src/storage/mongo/engine/mongo-hosts.ts';
import { IN_FULL_RUN, skippedSuite } from './full-run.ts';

const run = promisify(execFile);

/** Address of the test engine; undefined without one. */
export const MONGO_URI = process.env['ERRGATE_TEST_MONGODB_URI'];

/** Rows of each small collection where plans are looked at, which planners scan below some thousands. */
export const SMALL_ROWS = IN_FULL_RUN ? 5000 : 300;

const HOW =
  'set ERRGATE_TEST_MONGODB_URI to a mongod >= 7 (for example mongodb://127.0.0.1:27017/?directConnection=true) to run it';

/** Folder with the scripts that start and stop the engine, beside the checkout. */
const SCRIPTS = join(import.meta.dirname, '..', '..', '..', 'shared', 'mongodb');

function skipLoudly(title: string, why: string): void {
  describe(title, () => {
    it('was not run', function () {
      console.log(`      SKIPPED MongoDB: ${title}: ${why}`);
      this.skip();
    });
  });
}

/** Declares a suite that needs the engine. Without one the suite is skipped, with a notice how to start it. */
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

/** Declares a suite on MongoDB for `npm run test:full` alone. In other runs it has one skipped test. */
export function describeOnMongoInFullRun(title: string, body: (this: Mocha.Suite, uri: string) => void): void {
  if (IN_FULL_RUN) describeOnMongo(title, body);
  else skippedSuite(title);
}

/** Declares a suite that stops and starts the engine; needs the one run by the scripts beside the checkout. */
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

/** Engine that tests can stop and start. */
export class MongoEngine {
  readonly uri: string;

  private constructor(uri: string) {
    this.uri = uri;
  }

  /** Finds the engine; returns the reason if none may be stopped. */
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

  /** Kills the engine, like a power cut. */
  async kill(): Promise<void> {
    await run(join(SCRIPTS, 'stop'), ['--kill']);
  }

  /** Starts the engine unless it is running. */
  async start(): Promise<void> {
    await run(join(SCRIPTS, 'start'), []);
  }
}

/** Begin of the names of one run's databases. `npm test` drops those that its processes left behind. */
const PREFIX = `errgate_test_${process.env['ERRGATE_TEST_RUN'] ?? process.pid}_`;

/** Databases of one suite, with unique names. */
export class TestDatabases {
  readonly #uri: string;
  readonly #names: string[] = [];

  constructor(uri: string) {
    this.#uri = uri;
  }

  name(): string {
    const name = `${PREFIX}${randomBytes(4).toString('hex')}`;
    this.#names.push(name);
    return name;
  }

  /** Creates the address of a new database. */
  create(): string {
    return withDatabase(this.#uri, this.name());
  }

  async dropAll(): Promise<void> {
    await withClient(this.#uri, async (client) => {
      for (const name of this.#names.splice(0)) await client.db(name).dropDatabase();
    });
  }
}

/** Parts of an address. Addresses with several hosts are invalid for `URL`. */
const ADDRESS = /^(?<scheme>mongodb(?:\+srv)?:\/\/)(?<hosts>[^/?]+)(?:\/[^?]*)?(?:\?(?<options>.*))?$/;

/** Replaces the database in an address. */
export function withDatabase(uri: string, database: string): string {
  const { scheme, hosts, options = '' } = partsOf(uri);
  return `${scheme}${hosts}/${database}${options === '' ? '' : `?${options}`}`;
}

/** Adds an option to an address. */
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

/** Runs `work` with a plain driver connection, to read stored data or to damage it. */
export async function withClient<T>(uri: string, work: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  const client = new mongo.MongoClient(uri);
  try {
    return await work(client);
  } finally {
    await client.close();
  }
}
