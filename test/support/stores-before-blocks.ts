import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { mongo } from 'mongoose';
import { describeOnMongo, TestDatabases, withClient } from './mongo-engine.ts';
import type { StoreAnswers } from './read-store.ts';

const FOLDER = new URL('../fixtures/stores/', import.meta.url);

/** Time at which the answers of the stores were read; all events are older. */
export const READ_AT = Date.parse('2026-11-20T22:00:00Z');

/** Members of an error that later versions added, with their values for errors of the earlier version. */
const ADDED_TO_ERRORS = { externalIds: [], imported: null, statusDetails: null, assignee: null };

/** Returns what the earlier program read of the stores, with the members that were added since. */
export function answersBefore(): StoreAnswers {
  const answers = JSON.parse(unpacked('before-blocks.answers.json').toString()) as StoreAnswers;
  const projects = answers.projects.map((project) => ({
    ...project,
    errors: project.errors.map(({ detail, ...error }) => ({
      ...error,
      detail: detail === null ? null : { ...detail, ...ADDED_TO_ERRORS },
    })),
  }));
  return { ...answers, projects };
}

interface StoredCollection {
  readonly name: string;
  readonly indexes: readonly mongo.IndexDescription[];
  readonly documents: readonly mongo.OptionalId<mongo.Document>[];
}

async function fillDatabaseBefore(url: string): Promise<void> {
  const text = unpacked('before-blocks.mongodb.json').toString();
  // Canonical form: numbers keep the types that they have in the database.
  const collections = mongo.BSON.EJSON.parse(text, { relaxed: false }) as readonly StoredCollection[];
  await withClient(url, async (client) => {
    for (const { name, indexes, documents } of collections) {
      const collection = client.db().collection(name);
      if (indexes.length > 0) await collection.createIndexes([...indexes]);
      if (documents.length > 0) await collection.insertMany([...documents]);
    }
  });
}

function unpacked(name: string): Buffer {
  return gunzipSync(readFileSync(new URL(`${name}.gz`, FOLDER)));
}

/** Address of a store that version 0.1.0 wrote, and a data dir for it. */
export interface StoreBefore {
  readonly url: string;
  readonly dataDir: string;
  remove(): Promise<void>;
}

export interface StoreBeforeKind {
  readonly name: 'SQLite' | 'MongoDB';
  /** Version of the schema that it was written with. */
  readonly version: number;
  make(): Promise<StoreBefore>;
}

export const SQLITE_BEFORE: StoreBeforeKind = {
  name: 'SQLite',
  version: 8,
  async make() {
    const dataDir = await mkdtemp(join(tmpdir(), 'errgate-before-'));
    writeFileSync(join(dataDir, 'errgate.db'), unpacked('before-blocks.db'), { mode: 0o600 });
    return { url: 'sqlite:', dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
  },
};

function mongoKind(uri: string): StoreBeforeKind {
  return {
    name: 'MongoDB',
    version: 2,
    async make() {
      const dataDir = await mkdtemp(join(tmpdir(), 'errgate-before-'));
      const databases = new TestDatabases(uri);
      const url = databases.create();
      await fillDatabaseBefore(url);
      const remove = async () => {
        await databases.dropAll();
        await rm(dataDir, { recursive: true, force: true });
      };
      return { url, dataDir, remove };
    },
  };
}

/** Declares a suite for each kind of store that version 0.1.0 wrote. */
export function describeOnStoresBefore(title: string, body: (kind: StoreBeforeKind, suite: Mocha.Suite) => void): void {
  describe(`${title} (SQLite)`, function () {
    body(SQLITE_BEFORE, this);
  });
  describeOnMongo(`${title} (MongoDB)`, function (uri) {
    body(mongoKind(uri), this);
  });
}
