import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ErrorTexts } from '../../src/domain/errors/error-texts.ts';
import { openStore } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { columnsOf, FIELDS, type Fields } from '../../src/storage/errors/error-fields.ts';
import type { ErrorDocument } from '../../src/storage/mongo/documents/error-documents.ts';
import {
  lastSeen,
  MARK_MEMBERS,
  plainMembers,
  SHOWN_MEMBERS,
  textsIn,
} from '../../src/storage/mongo/documents/error-members.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/engine/database.ts';
import { missingParts } from '../../src/storage/sqlite/records/kind-tables.ts';
import { placeEmptyStore } from '../support/empty-store.ts';
import { makeDataDir } from '../support/store-harness.ts';

/** Member of a document before its first dot. */
type Root<M extends string> = M extends `${infer R}.${string}` ? R : M;

describe('the table of an error’s fields', () => {
  const texts: ErrorTexts = {
    type: 'TypeError',
    message: 'x is undefined',
    title: 'TypeError: x is undefined',
    culprit: 'cart.checkout',
    level: 'error',
    platform: 'node',
  };

  describe('and the tables of SQLite', () => {
    let dataDir: string;
    let db: SqliteDatabase;

    beforeEach(async () => {
      dataDir = await makeDataDir();
      await placeEmptyStore(dataDir);
      db = new SqliteDatabase(join(dataDir, 'errgate.db'), { cacheKib: 512 });
    });
    afterEach(async () => {
      db.close();
      await rm(dataDir, { recursive: true, force: true });
    });

    const columns = (table: string): string[] =>
      db.all('SELECT name FROM pragma_table_info(?) ORDER BY name', table).map(({ name }) => String(name));

    it('names each column of errors once', () => {
      assert.deepEqual(FIELDS.map(([, { column }]) => column).sort(), columns('errors'));
    });

    it('says which columns displayed rows of merged errors have', () => {
      const shown = FIELDS.flatMap(([, field]) => (field.shown ? [field.column] : []));
      const computed = [...columnsOf('search', 'rank'), 'member_users', 'members'];
      assert.deepEqual([...shown, ...computed].sort(), columns('error_groups'));
    });

    it('gives both tables a text that they lack, with null in the rows before it', async () => {
      db.connection
        .exec(`INSERT INTO errors (project_id, leaf, grouping_version, newest_received, first_seen, first_event,
        last_seen, last_event, level, platform, title, culprit, search_text)
        VALUES (1, x'00', 1, 0, 0, x'00', 0, x'00', 'error', 'node', 'Error', 'cart', '')`);
      for (const table of ['errors', 'error_groups']) db.connection.exec(`ALTER TABLE ${table} DROP COLUMN culprit`);
      const place = { url: 'sqlite:', dataDir };
      assert.deepEqual(await pendingMigration(place), [
        'add the column culprit to errors',
        'add the column culprit to error_groups',
      ]);
      await assert.rejects(openStore({ ...place, migrate: false }), { code: 'store_outdated' });
      await (await openStore({ ...place, migrate: true })).close();
      assert.deepEqual(missingParts(db), []);
      assert.equal(db.get('SELECT culprit FROM errors')?.culprit, null);
    });
  });

  describe('and the documents of MongoDB', () => {
    it('names members that documents have', () => {
      const named: Root<Fields[keyof Fields]['member']> extends keyof ErrorDocument ? true : never = true;
      assert.ok(named);
    });

    it('keeps the order by which occurrences are compared: time, event id, then the rest', () => {
      const last = lastSeen({ at: 1, eventId: '0'.repeat(32), release: null, ...texts }, 'q');
      assert.deepEqual(Object.keys(last).slice(0, 9), [
        ...['at', 'id', 'release', 'type', 'message', 'title', 'culprit', 'level', 'platform'],
      ]);
      assert.equal(Object.keys(last).at(-1), 'q');
    });

    it('reads a text as null that an earlier version did not store', () => {
      const { culprit: _culprit, ...earlier } = texts;
      assert.deepEqual(textsIn(earlier as ErrorTexts), { ...texts, culprit: null });
    });

    it('leaves out members that are absent rather than null', () => {
      const plain: Parameters<typeof plainMembers>[0] = {
        id: 7,
        projectId: 2,
        groupingVersion: 1,
        status: 0,
        statusDetails: null,
        assigneeId: null,
        count: 3,
        userCount: 2,
        stored: 1,
        newestReceived: 9,
        resolvedAt: null,
        statusChangedAt: null,
        mutedUntil: null,
        mutedEvents: null,
        mutedUsers: null,
      };
      const members = { id: 7, p: 2, v: 1, st: 0, det: null, as: null, c: 3, u: 2, k: 1, rcv: 9, res: null };
      const muted = { mt: null, mc: null, mn: null };
      assert.deepEqual(plainMembers(plain), { ...members, ...muted });
      assert.deepEqual(plainMembers({ ...plain, statusChangedAt: 5 }), { ...members, ...muted, sta: 5 });
    });

    it('projects what lists show', () => {
      assert.deepEqual(Object.keys({ ...SHOWN_MEMBERS, ...MARK_MEMBERS }), [
        ...['id', 'p', 'st', 'det', 'as', 'c', 'u', 'first.at', 'first.release', 'last.at', 'last.release'],
        ...['last.level', 'last.platform', 'last.type', 'last.title', 'last.culprit', 'last.message'],
        ...['reg', 'esc', 'um', 'ask', 'uh'],
      ]);
    });
  });
});
