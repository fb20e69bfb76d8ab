import { mongo } from 'mongoose';
import { COLLECTIONS, openCollections } from '../../src/storage/mongo/collections.ts';
import { connect } from '../../src/storage/mongo/connection.ts';
import type { MongoContext } from '../../src/storage/mongo/context.ts';
import { openContext } from '../../src/storage/mongo/open-context.ts';
import { PageBounds } from '../../src/storage/mongo/page-bounds.ts';
import { TestDatabases, withOption } from './mongo-engine.ts';
import { atRunEnd } from './run-end.ts';

const { name: CONTROL } = COLLECTIONS.control;

/** Commands that write, whose member of that name is the collection. */
const WRITES = ['insert', 'update', 'delete', 'findAndModify'];

/**
 * Database that is set up and empty. To set one up and drop it takes two seconds of processor time, to empty it a
 * fortieth, so the next user of a released one gets the same. Stores of other processes need databases of their own.
 */
export class ReadyDatabase {
  readonly #url: string;
  readonly #client: mongo.MongoClient;
  readonly #written = new Set<string>();
  #isSetUp = false;

  private constructor(url: string) {
    this.#url = withOption(url, 'monitorCommands', 'true');
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
    const database = new ReadyDatabase(ReadyDatabase.#databases.create());
    atRunEnd(() => database.#client.close());
    return database;
  }

  /** Opens a context, as another gateway does. Only the first looks for every index, which takes a second. */
  async open(now: () => number): Promise<MongoContext> {
    const context = this.#isSetUp ? await this.#connect(now) : await openContext(this.#url, 'set_up', now);
    this.#isSetUp = true;
    context.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      if (WRITES.includes(commandName)) this.#written.add((command as Record<string, string>)[commandName] ?? '');
    });
    return context;
  }

  async #connect(now: () => number): Promise<MongoContext> {
    const connection = await connect(this.#url, 'the engine');
    return { connection, collections: openCollections(connection), pageBounds: new PageBounds(), now };
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
