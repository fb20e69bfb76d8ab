import assert from 'node:assert/strict';
import {
  bindingIntegers,
  builtInDriver,
  packagedDriver,
  type SqliteConnection,
  type SqliteDriver,
  type SqlValue,
} from '../../src/storage/sqlite/engine/driver.ts';

const builtIn = builtInDriver();

/** The packaged driver, which every Node.js loads, and SQLite of Node. */
const DRIVERS: [string, SqliteDriver | undefined][] = [
  ['the packaged driver', bindingIntegers(packagedDriver())],
  ['SQLite of Node', builtIn && bindingIntegers(builtIn)],
];

for (const [name, driver] of DRIVERS) {
  describe(`SQLite driver: ${name}`, () => {
    if (driver === undefined) {
      it('is part of Node.js 22.13 and later', function () {
        console.log(`      skipped: Node.js ${process.version} has no SQLite without a flag`);
        this.skip();
      });
      return;
    }
    let db: SqliteConnection;
    const value = (sql: string, ...values: SqlValue[]) => db.prepare(`SELECT ${sql} AS value`).get(...values)?.value;

    before(() => {
      db = new driver.DatabaseSync(':memory:');
      db.exec('CREATE TABLE texts (value TEXT) STRICT; CREATE TABLE anything (value ANY) STRICT');
    });

    after(() => {
      db.close();
    });

    for (const whole of [0, -0, 1, -1, 255, 256, 2 ** 31, -(2 ** 31) - 1, 1_795_824_000_000, Number.MAX_SAFE_INTEGER]) {
      it(`binds ${whole} as INTEGER`, () => {
        assert.deepEqual([value('typeof(?)', whole), value('?', whole)], ['integer', whole + 0]);
      });
    }

    for (const other of [0.5, -2.25, 2 ** 53, -(2 ** 60), 1e300]) {
      it(`binds ${other} as REAL`, () => {
        assert.deepEqual([value('typeof(?)', other), value('?', other)], ['real', other]);
      });
    }

    it('binds what is no number as NULL, TEXT and BLOB', () => {
      assert.deepEqual(
        [null, NaN, 'text', new Uint8Array([1])].map((each) => value('typeof(?)', each)),
        ['null', 'null', 'text', 'blob'],
      );
    });

    it('divides and takes remainders of bound integers as integers', () => {
      assert.deepEqual([value('(7 - ?) / ?', 0, 2), value('? % ?', 1_795_824_000_007, 1000)], [3, 7]);
      assert.equal(value('? / 2', 1_795_824_000_001), 897_912_000_000);
    });

    it('keeps a bound integer an integer in text, in JSON and in a column of any type', () => {
      assert.deepEqual(
        [value("? || ''", 5), value('json_array(?)', 5), value('printf(?, ?)', '%s', 5)],
        ['5', '[5]', '5'],
      );
      db.prepare('INSERT INTO anything (value) VALUES (?)').run(1_795_824_000_000);
      assert.equal(value('(SELECT typeof(value) FROM anything)'), 'integer');
    });

    it('compares bound integers with columns of text and members of JSON', () => {
      db.prepare('INSERT INTO texts (value) VALUES (?)').run('1795824000000');
      assert.equal(value('(SELECT count(*) FROM texts WHERE value = ?)', 1_795_824_000_000), 1);
      assert.equal(value("? IN (SELECT value FROM json_each('[1,2]'))", 2), 1);
      assert.deepEqual(
        db
          .prepare('SELECT value FROM json_each(?) WHERE value > ? ORDER BY value')
          .all('[1,2,3]', 1)
          .map(Object.values),
        [[2], [3]],
      );
    });

    it('reads integers up to 2^53 as numbers and refuses larger ones', () => {
      assert.equal(value('9007199254740991'), Number.MAX_SAFE_INTEGER);
      assert.throws(() => value('9007199254740993'), { code: 'ERR_OUT_OF_RANGE' });
    });

    it('binds alike in every call of a statement', () => {
      db.exec('CREATE TABLE numbers (value ANY) STRICT');
      const { changes } = db.prepare('INSERT INTO numbers (value) VALUES (?), (?)').run(3, 3.5);
      assert.equal(Number(changes), 2);
      assert.deepEqual(
        db.prepare('SELECT typeof(value) AS type FROM numbers WHERE value >= ?').all(3).map(Object.values),
        [['integer'], ['real']],
      );
    });

    it('stores whole numbers by statements for columns, and refuses those where the type changes the result', () => {
      db.exec('CREATE TABLE counts (id INTEGER PRIMARY KEY, count INTEGER, at INTEGER) STRICT');
      db.prepareForColumns('INSERT INTO counts (id, count, at) VALUES (?, ?, ?)').run(1, 2, 1_795_824_000_000);
      db.prepareForColumns('UPDATE counts SET count = count + ?, at = max(at, ?) WHERE id = ?').run(3, 7, 1);
      const row = db.prepare('SELECT count, at, typeof(count) || typeof(at) AS types FROM counts WHERE id = ?').get(1);
      assert.deepEqual({ ...row }, { count: 5, at: 1_795_824_000_000, types: 'integerinteger' });
      for (const sql of [
        'count / ?',
        'count % ?',
        'count || ?',
        'json_array(?)',
        'CAST(? AS TEXT)',
        "printf('%s', ?)",
      ]) {
        assert.throws(() => db.prepareForColumns(`SELECT ${sql} FROM counts`), /bound as INTEGER/);
      }
    });
  });
}
