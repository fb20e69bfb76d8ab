import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { mongo } from 'mongoose';
import { TestDatabases, withClient } from '../mongo-engine.ts';
import type { Answers } from './answers.ts';

const FOLDER = join(import.meta.dirname, '..', '..', 'fixtures', 'stores');

/** Key that the secrets in the fixtures are encrypted with. */
export const FIXTURE_KEY = '5e'.repeat(32);

export type FixtureStore = 'sqlite' | 'mongodb';

/** What is known of a store that a release left. */
export interface FixtureFacts {
  /** Token of the administrator. */
  readonly token: string;
  /** First project, which has the events that are not stored yet. */
  readonly projectId: number;
  /** When the answers were read, in milliseconds. All events are older. */
  readonly readAt: number;
  readonly answers: Answers;
}

/** Returns the releases that have a fixture, as in `CHANGELOG.md`. */
export function fixtureReleases(): string[] {
  return readdirSync(FOLDER).filter((name) => /^\d+\.\d+\.\d+$/.test(name));
}

const fileOf = (release: string, name: string): string => join(FOLDER, release, name);

/** Writes a fixture: the data folder as the release left it, the collections of its database, and its answers. */
export function writeFixture(folder: string, store: FixtureStore, dataDir: string, facts: FixtureFacts): void {
  const archive = execFileSync('tar', ['-c', '--sort=name', '--exclude=*-shm', '-C', dataDir, '.'], {
    maxBuffer: 256 * 1024 * 1024,
  });
  writeFileSync(join(folder, `${store}.tar.gz`), gzipSync(archive, { level: 9 }));
  writeFileSync(join(folder, `${store}.answers.json.gz`), gzipSync(JSON.stringify(facts), { level: 9 }));
}

/** File of the data folder with the collections of a MongoDB store. No release makes one of that name. */
const COLLECTIONS = 'collections.json';

interface StoredCollection {
  readonly name: string;
  readonly indexes: readonly mongo.IndexDescription[];
  readonly documents: readonly mongo.OptionalId<mongo.Document>[];
}

/** Writes the collections of a database into the data folder. Numbers keep their types: the form is canonical. */
export async function keepCollections(url: string, dataDir: string): Promise<void> {
  const kept: StoredCollection[] = await withClient(url, async (client) => {
    const collections = await client.db().listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    const names = collections.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
    return Promise.all(
      names.sort().map(async (name) => {
        const collection = client.db().collection(name);
        const indexes = (await collection.indexes()).filter(({ name: index }) => index !== '_id_');
        return {
          name,
          indexes: indexes.map(({ v: _version, ns: _namespace, ...index }) => index as mongo.IndexDescription),
          documents: await collection.find().toArray(),
        };
      }),
    );
  });
  writeFileSync(join(dataDir, COLLECTIONS), mongo.BSON.EJSON.stringify(kept, { relaxed: false }));
}

async function fillDatabase(url: string, file: string): Promise<void> {
  const collections = mongo.BSON.EJSON.parse(readFileSync(file, 'utf8'), { relaxed: false }) as StoredCollection[];
  await withClient(url, async (client) => {
    for (const { name, indexes, documents } of collections) {
      const collection = await client.db().createCollection(name);
      if (documents.length > 0) await collection.insertMany([...documents]);
      if (indexes.length > 0) await collection.createIndexes([...indexes]);
    }
  });
}

/** Store of a release in a place of its own. */
export interface PlacedFixture extends FixtureFacts {
  readonly url: string;
  readonly dataDir: string;
  /** Environment of programs that use it. */
  readonly env: NodeJS.ProcessEnv;
  remove(): Promise<void>;
}

/** Places the store of a release. `mongoUri`: address of the engine for a MongoDB store. */
export async function placeFixture(release: string, store: FixtureStore, mongoUri?: string): Promise<PlacedFixture> {
  const facts = JSON.parse(
    gunzipSync(readFileSync(fileOf(release, `${store}.answers.json.gz`))).toString(),
  ) as FixtureFacts;
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-release-'));
  execFileSync('tar', ['-xz', '-C', dataDir, '-f', fileOf(release, `${store}.tar.gz`)]);
  const databases = mongoUri === undefined ? null : new TestDatabases(mongoUri);
  const url = databases?.create() ?? 'sqlite:';
  const collections = join(dataDir, COLLECTIONS);
  if (existsSync(collections)) await fillDatabase(url, collections);
  rmSync(collections, { force: true });
  return {
    ...facts,
    url,
    dataDir,
    env: {
      ...{ ERRGATE_DATA_DIR: dataDir, ERRGATE_STORE_URL: url, ERRGATE_SECRET_KEY: FIXTURE_KEY },
      // The stores become older than any retention.
      ...{ ERRGATE_RETENTION_DAYS: '36500', ERRGATE_AUDIT_DAYS: '36500' },
    },
    async remove() {
      await databases?.dropAll();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}
