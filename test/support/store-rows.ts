import { join } from 'node:path';
import { mongo } from 'mongoose';
import { sqlite } from '../../src/storage/sqlite/driver.ts';
import { withClient } from './mongo-engine.ts';

/** What a table or collection holds. Bytes: pages with indexes in a file, documents alone on MongoDB. */
export interface Held {
  readonly rows: number;
  readonly bytes: number;
}

/** Every table of the store in the data dir, from outside. */
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

/** Every collection of the database that the address names. */
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
