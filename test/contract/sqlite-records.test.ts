import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { openStore } from '../../src/storage/open/open-store.ts';
import { pendingMigration } from '../../src/storage/open/pending-migration.ts';
import { systemClock } from '../../src/domain/ports/clock.ts';
import type { ThresholdArm } from '../../src/domain/ports/stores/alert-store.ts';
import { alertArms } from '../../src/storage/records/kinds/alert-kinds.ts';
import {
  boolean,
  integer,
  json,
  kind,
  nullable,
  since,
  snakeCase,
  tableName,
  text,
} from '../../src/storage/records/kind.ts';
import type { AnyKind } from '../../src/storage/records/kind.ts';
import { KIND_NAMES, kindOf } from '../../src/storage/records/kinds.ts';
import { put } from '../../src/storage/records/writes.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/engine/database.ts';
import { LocalExecutor } from '../../src/storage/sqlite/local-executor.ts';
import { missingColumns, missingParts, tableOf } from '../../src/storage/sqlite/records/kind-tables.ts';
import { listRecords, writeRecords } from '../../src/storage/sqlite/records/record-statements.ts';
import { sqliteRecords } from '../../src/storage/sqlite/sqlite-records.ts';
import { placeEmptyStore } from '../support/empty-store.ts';
import { makeDataDir } from '../support/store-harness.ts';
import { recordsContract, type RecordHarness } from './store-records.contract.ts';
import { uploadRacesContract } from './store-upload-races.contract.ts';

const open = (file: string): SqliteDatabase => new SqliteDatabase(file, { cacheKib: 512 });

async function openRecords(): Promise<RecordHarness> {
  const dataDir = await makeDataDir();
  await placeEmptyStore(dataDir);
  const store = await openStore({ url: 'sqlite:', dataDir });
  const reader = open(join(dataDir, 'errgate.db'));
  const writer = new LocalExecutor(open(join(dataDir, 'errgate.db')));
  return {
    store,
    records: sqliteRecords(
      async (view) => view(reader),
      writer,
      () => systemClock.now(),
    ),
    async dispose() {
      await store.close();
      await writer.close();
      reader.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

recordsContract('SQLite', openRecords);
uploadRacesContract('SQLite', openRecords);

describe('tables of declared kinds', () => {
  let dataDir: string;
  let db: SqliteDatabase;

  beforeEach(async () => {
    dataDir = await makeDataDir();
    await placeEmptyStore(dataDir);
    db = open(join(dataDir, 'errgate.db'));
  });
  afterEach(async () => {
    db.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** What a table accepts: columns in any order, the key, unique orders and references. */
  function formOf(table: string): unknown {
    const all = (sql: string) => db.all(sql, table).map((row) => JSON.stringify(row)).sort(); // prettier-ignore
    return {
      columns: all('SELECT name, type, "notnull" OR pk AS filled, pk > 0 AS key FROM pragma_table_info(?)'),
      unique: all(`SELECT (SELECT group_concat(x.name || ' ' || x.coll) FROM pragma_index_xinfo(l.name) x WHERE x.key)
        AS members FROM pragma_index_list(?) l WHERE l."unique" AND l.origin <> 'pk'`),
      references: all('SELECT "from", "table", on_delete FROM pragma_foreign_key_list(?)'),
    };
  }

  for (const name of KIND_NAMES) {
    it(`have the columns and references that ${name} declares`, () => {
      const table = tableName(kindOf(name));
      const present = formOf(table);
      db.connection.exec(`PRAGMA foreign_keys = OFF; DROP TABLE ${table}`);
      for (const statement of tableOf(kindOf(name))) db.connection.exec(statement);
      assert.deepEqual(formOf(table), present);
    });
  }

  it('are created where a store lacks them, and so are their new columns', async () => {
    assert.deepEqual(missingParts(db), []);
    db.connection.exec('DROP TABLE alert_arms; ALTER TABLE project_links DROP COLUMN sealed_token');
    db.connection.exec('DROP INDEX artifact_bundles_of_file');
    const place = { url: 'sqlite:', dataDir };
    assert.deepEqual(await pendingMigration(place), [
      'create the table alert_arms',
      'add the column sealed_token to project_links',
      'create the index artifact_bundles_of_file',
    ]);
    await assert.rejects(openStore({ ...place, migrate: false }), {
      code: 'store_outdated',
      message: 'the store lacks tables or columns of this program: run `errgate migrate`',
    });
    await (await openStore({ ...place, migrate: true })).close();
    assert.deepEqual(missingParts(db), []);
    assert.deepEqual(await pendingMigration(place), []);
  });

  it('give rows that were written before the fallback of a new member', async () => {
    db.connection.exec('PRAGMA foreign_keys = OFF');
    const arm: ThresholdArm = { projectId: 1, ruleId: 1, errorId: '7', fired: 1, armed: true, belowSince: null };
    writeRecords(db, [put(alertArms, arm)]);
    interface LaterArm extends ThresholdArm {
      readonly note: string;
      readonly tags: readonly string[];
      readonly muted: boolean;
      readonly seen: number | null;
      readonly by: string | null;
      readonly place: { readonly city: string } | null;
    }
    const later = kind<LaterArm, 'projectId' | 'ruleId' | 'errorId'>({
      ...{ name: 'alertArms', key: alertArms.key, of: 'project' },
      members: {
        ...alertArms.members,
        note: since(text(), "it's new"),
        tags: since(json(), ['a']),
        muted: since(boolean, true),
        seen: nullable(integer),
        by: since(nullable(text()), null),
        place: since(nullable(json()), null),
      },
    });
    const present = new Set(Object.keys(alertArms.members).map(snakeCase));
    for (const { statements } of missingColumns(later, present)) {
      for (const statement of statements) db.connection.exec(statement);
    }
    assert.deepEqual(listRecords(db, later as unknown as AnyKind, { projectId: 1 }), [
      { ...arm, note: "it's new", tags: ['a'], muted: true, seen: null, by: null, place: null },
    ]);
    const types = db.all('SELECT typeof(by) AS by, typeof(place) AS place FROM alert_arms');
    assert.deepEqual({ ...types[0] }, { by: 'null', place: 'null' });
    const without = { ...later, members: { ...later.members, note: text() } };
    assert.throws(() => missingColumns(without, present), /alertArms.note is new and needs a fallback/);
  });

  it('have an order for each list that is declared, and for the removal of what their rows belong to', () => {
    const sql = `SELECT name FROM pragma_table_info(?1) WHERE pk = 1 UNION SELECT i.name FROM pragma_index_list(?1) l
      JOIN pragma_index_info(l.name) i WHERE i.seqno = 0`;
    for (const kind of KIND_NAMES.map(kindOf)) {
      const firsts = db.all(sql, tableName(kind)).map((row) => row.name);
      const owners = { project: ['projectId'], user: ['userId'], member: ['projectId', 'userId'], instance: [] }[
        kind.of
      ];
      const orders = [...Object.values(kind.unique), ...Object.values(kind.indexes)];
      for (const member of [...owners, ...orders.map(([first]) => first ?? '')]) {
        assert.ok(firsts.includes(snakeCase(member)), `${kind.name}: ${member}`);
      }
    }
  });
});
