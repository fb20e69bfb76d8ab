import { join } from 'node:path';
import { mongo } from 'mongoose';
import { sqlite } from '../../src/storage/sqlite/engine/driver.ts';
import { withClient } from './mongo-engine.ts';

/** Rows of every table as text, sorted; by the table's name. */
export type AllRows = ReadonlyMap<string, readonly string[]>;

/** Reads every row of the data dir's database file. */
export function allSqliteRows(dataDir: string): AllRows {
  const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
  try {
    // Among the tables of SQLite itself, the numbers given are the store's; statistics of the planner are not.
    const tables = db.prepare(
      "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_stat%' ORDER BY name",
    );
    const names = tables.all().map(({ name }) => name as string);
    return new Map(names.map((name) => [name, db.prepare(`SELECT * FROM "${name}"`).all().map(textOf).sort()]));
  } finally {
    db.close();
  }
}

function textOf(row: Readonly<Record<string, unknown>>): string {
  return JSON.stringify(row, (_, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('hex') : value,
  );
}

/** Reads every document of the database. */
export async function allMongoRows(url: string): Promise<AllRows> {
  return withClient(url, async (client) => {
    const db = client.db();
    const rows = new Map<string, string[]>();
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      const documents = await db.collection(name).find().toArray();
      rows.set(name, documents.map((document) => mongo.BSON.EJSON.stringify(sorted(document))).sort());
    }
    return rows;
  });
}

/** Members in the order of their names: updates add them in any order. */
function sorted(document: mongo.Document): mongo.Document {
  return Object.fromEntries(Object.entries(document).sort(([a], [b]) => (a < b ? -1 : 1)));
}
