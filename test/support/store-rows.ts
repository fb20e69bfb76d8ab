import { join } from 'node:path';
import { mongo } from 'mongoose';
import { sqlite } from '../../src/storage/sqlite/engine/driver.ts';
import { withClient } from './mongo-engine.ts';

/** Size of a table or collection. Bytes: pages with indexes in a file; only documents on MongoDB. */
export interface Held {
  readonly rows: number;
  readonly bytes: number;
}

/** Reads the sizes of all tables in the data dir's database file. */
export function sqliteRows(dataDir: string): Map<string, Held> {
  const db = new sqlite.DatabaseSync(join(dataDir, 'errgate.db'));
  try {
    const held = new Map<string, Held>();
    const sizes = db.prepare(
      `SELECT t.tbl_name AS name, sum(s.pgsize) AS bytes FROM dbstat s JOIN sqlite_schema t ON t.name = s.name
        GROUP BY t.tbl_name ORDER BY 1`,
    );
    for (const { name, bytes } of sizes.all() as { name: string; bytes: number }[]) {
      const { rows } = db.prepare(`SELECT count(*) AS rows FROM "${name}"`).get() as { rows: number };
      held.set(name, { rows, bytes });
    }
    return held;
  } finally {
    db.close();
  }
}

/** Reads the sizes of all collections in the database of the address. */
export async function mongoRows(url: string): Promise<Map<string, Held>> {
  return withClient(url, async (client) => {
    const db = client.db();
    const held = new Map<string, Held>();
    for (const { name } of await db.listCollections({}, { nameOnly: true }).toArray()) {
      let [rows, bytes] = [0, 0];
      for await (const document of db.collection(name).find()) {
        rows += 1;
        bytes += mongo.BSON.calculateObjectSize(document);
      }
      held.set(name, { rows, bytes });
    }
    return held;
  });
}
