import { createHash } from 'node:crypto';
import { mongo } from 'mongoose';

/** Pairs of error and user per insert. */
const SLICE = 5_000;

interface Full {
  readonly errors: number;
  readonly events: number;
  /** Events that were applied. */
  readonly seeded: number;
}

/** Number of bytes before the hash of the user in the key of a pair. */
const USER_AT = 20;

/**
 * Makes what lists read in a MongoDB store as after more events: counts, and pairs of error and user. Bodies of events
 * are left out: no list reads them.
 */
export async function fillUp(url: string, projectId: number, { errors, events, seeded }: Full): Promise<void> {
  const client = await new mongo.MongoClient(url).connect();
  try {
    const db = client.db();
    const times = events / seeded;
    const pairs = db.collection('errorusers');
    const [one] = await pairs.find({ p: projectId }).limit(1).toArray();
    if (one === undefined) throw new Error('no user was seeded');
    const each = (events - seeded) / errors;
    let rows: mongo.Document[] = [];
    for await (const { _id } of db.collection('errors').find({ p: projectId }, { projection: { _id: 1 } })) {
      const error = (_id as unknown as mongo.Binary).buffer;
      for (let user = 0; user < each; user += 1) {
        const hash = createHash('sha1').update(`more ${user}`).digest().subarray(0, 12);
        const key = Buffer.concat([error.subarray(0, USER_AT), hash]);
        rows.push({ ...one, _id: new mongo.Binary(key), h: new mongo.Binary(hash) });
      }
      if (rows.length < SLICE) continue;
      await pairs.insertMany(rows, { ordered: false });
      rows = [];
    }
    if (rows.length > 0) await pairs.insertMany(rows, { ordered: false });
    await db.collection('errors').updateMany({ p: projectId }, { $mul: { c: times, u: times }, $set: { dq: 1 } });
  } finally {
    await client.close();
  }
}
