import { randomBytes } from 'node:crypto';
import mongoose, { type Connection } from 'mongoose';

export type StoreName = 'embedded' | 'mongodb';

/** Store without any data. */
export interface FreshStore {
  readonly name: StoreName;
  /** Value of `ERRGATE_STORE_URL`. */
  readonly url: string;
  /** Further environment variables for `serve`. */
  readonly env: NodeJS.ProcessEnv;
  /** Null for the embedded store, whose size is that of the data dir. */
  readonly database: Database | null;
  /** Removes the store. */
  remove(): Promise<void>;
}

/** Documents and bytes of a collection, as reported by the engine. */
export interface CollectionSize {
  readonly collection: string;
  readonly documents: number;
  /** Mean size of a document in BSON bytes. */
  readonly documentBytes: number;
  /** Bytes on disk: documents, then indexes. */
  readonly storageBytes: number;
  readonly indexBytes: number;
}

export interface Database {
  readonly uri: string;
  /** Version of the server, and its engine unless it is mongod. */
  engine(): Promise<string>;
  sizes(): Promise<CollectionSize[]>;
}

export function embeddedStore(): FreshStore {
  return { name: 'embedded', url: 'sqlite:', env: {}, database: null, remove: () => Promise.resolve() };
}

/** Stores to measure: the embedded one, and MongoDB if ERRGATE_TEST_MONGODB_URI is set. */
export function storesToMeasure(): ReadonlyMap<StoreName, () => FreshStore> {
  const uri = process.env['ERRGATE_TEST_MONGODB_URI'];
  const makers = new Map<StoreName, () => FreshStore>([['embedded', embeddedStore]]);
  if (uri === undefined) {
    console.error('SKIPPED MongoDB: set ERRGATE_TEST_MONGODB_URI to a mongod >= 7 to measure it too');
  } else {
    makers.set('mongodb', () => mongoStore(uri));
  }
  return makers;
}

/** Works on a new store, and removes it. */
export async function onFresh<T>(make: () => FreshStore, work: (store: FreshStore) => Promise<T>): Promise<T> {
  const store = make();
  try {
    return await work(store);
  } finally {
    await store.remove();
  }
}

/** Creates a new database on the server of the address. */
export function mongoStore(uri: string): FreshStore {
  const address = new URL(uri);
  address.pathname = `/errgate_bench_${process.pid}_${randomBytes(4).toString('hex')}`;
  const url = address.href;
  const env = { ERRGATE_SECRET_KEY: randomBytes(32).toString('hex') };
  const database: Database = {
    uri: url,
    engine: () => withConnection(url, engineOf),
    sizes: () => withConnection(url, sizesOf),
  };
  const remove = () => withConnection(url, (connection) => connection.dropDatabase());
  return { name: 'mongodb', url, env, database, remove };
}

export async function withConnection<T>(uri: string, work: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await mongoose.createConnection(uri, { autoIndex: false, autoCreate: false }).asPromise();
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

/** Bytes of the store on disk: those of its database, or of the data dir where it has none. */
export async function storedBytes({ database }: FreshStore, dataDirBytes: number): Promise<number> {
  if (database === null) return dataDirBytes;
  return (await database.sizes()).reduce((sum, { storageBytes, indexBytes }) => sum + storageBytes + indexBytes, 0);
}

async function engineOf({ db }: Connection): Promise<string> {
  const info = await db?.admin().command({ buildInfo: 1 });
  const version = `server version ${String(info?.['version'])}`;
  return info?.['ferretdb'] === undefined
    ? `mongod, ${version}`
    : `a MongoDB-compatible engine that is not mongod, ${version}`;
}

async function sizesOf({ db }: Connection): Promise<CollectionSize[]> {
  const names = (await db?.listCollections({}, { nameOnly: true }).toArray()) ?? [];
  const sizes: CollectionSize[] = [];
  for (const { name } of names) {
    // Uses only members of $collStats that all servers return.
    const stats = (await db?.command({ collStats: name })) ?? {};
    const number = (member: string): number => (typeof stats[member] === 'number' ? stats[member] : 0);
    const documents = (await db?.collection(name).countDocuments()) ?? 0;
    if (documents === 0) continue;
    sizes.push({
      collection: name,
      documents,
      documentBytes: await meanDocumentBytes(db?.collection(name)),
      storageBytes: number('storageSize'),
      indexBytes: number('totalIndexSize'),
    });
  }
  return sizes.sort((a, b) => b.storageBytes + b.indexBytes - a.storageBytes - a.indexBytes);
}

/** Mean size of a sample, because engines define their reported sizes differently. */
async function meanDocumentBytes(collection: mongoose.mongo.Collection | undefined): Promise<number> {
  const sample = (await collection?.find().limit(1000).toArray()) ?? [];
  const bytes = sample.reduce((sum, document) => sum + mongoose.mongo.BSON.calculateObjectSize(document), 0);
  return sample.length === 0 ? Number.NaN : bytes / sample.length;
}
