import { mongo } from 'mongoose';
import { COLLECTIONS, openCollections } from '../../src/storage/mongo/engine/collections.ts';
import { connect } from '../../src/storage/mongo/engine/connection.ts';
import type { MongoContext } from '../../src/storage/mongo/engine/context.ts';
import { openContext } from '../../src/storage/mongo/open-context.ts';
import { PageBounds } from '../../src/storage/mongo/engine/page-bounds.ts';
import { TestDatabases, withDatabase, withOption } from './mongo-engine.ts';
import { atRunEnd } from './run-end.ts';

const { name: CONTROL } = COLLECTIONS.control;

/** Commands that write, whose member of that name is the collection. */
const WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/**
 * Database that is set up and empty. To set one up and drop it takes two seconds of processor time, to empty it a
 * fortieth, so the next user of a released one gets the same.
 */
export class ReadyDatabase {
  /** Address for services and clients of the test's own, whose writes are found by `releaseAll`. */
  readonly url: string;
  readonly name: string;
  readonly #client: mongo.MongoClient;
  readonly #written = new Set<string>();
  #isSetUp = false;

  private constructor(uri: string, name: string) {
    const url = withDatabase(uri, name);
    this.url = url;
    this.name = name;
    this.#client = new mongo.MongoClient(url);
  }

  static readonly #idle: ReadyDatabase[] = [];
  static #databases: TestDatabases | undefined;

  /** Takes an idle database, or creates one. All are dropped after the last file of a run. */
  static take(uri: string): ReadyDatabase {
    const idle = ReadyDatabase.#idle.pop();
    if (idle !== undefined) return idle;
    if (ReadyDatabase.#databases === undefined) {
      const databases = new TestDatabases(uri);
      ReadyDatabase.#databases = databases;
      atRunEnd(() => databases.dropAll());
    }
    const database = new ReadyDatabase(uri, ReadyDatabase.#databases.name());
    atRunEnd(() => database.#client.close());
    return database;
  }

  /** Opens a context, as another gateway does. Only the first looks for every index, which takes a second. */
  async open(now: () => number): Promise<MongoContext> {
    const url = withOption(this.url, 'monitorCommands', 'true');
    const context = this.#isSetUp ? await connectedTo(url, now) : await openContext(url, 'set_up', now);
    this.#isSetUp = true;
    context.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (WRITES.includes(commandName)) this.#written.add((command as Record<string, string>)[commandName] ?? '');
    });
    return context;
  }

  /** Sets the database up unless that is done, for processes that open it by its address. */
  async setUp(): Promise<this> {
    if (!this.#isSetUp) await (await this.open(Date.now)).connection.close();
    return this;
  }

  /** As `release`, where others than contexts of `open` wrote. They must have ended. */
  async releaseAll(): Promise<void> {
    for (const { collectionName } of await this.#client.db().collections()) this.#written.add(collectionName);
    await this.release();
  }

  /** Removes every document but the schema version, which is all that a new database has. */
  async release(): Promise<void> {
    const db = this.#client.db();
    await Promise.all(
      [...this.#written].map((name) =>
        db.collection<{ _id: string }>(name).deleteMany(name === CONTROL ? { _id: { $ne: 'schema' } } : {}),
      ),
    );
    this.#written.clear();
    ReadyDatabase.#idle.push(this);
  }
}

async function connectedTo(url: string, now: () => number): Promise<MongoContext> {
  const connection = await connect(url, 'the engine');
  return { connection, collections: openCollections(connection), pageBounds: new PageBounds(), now };
}
