import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { type Command, InvalidArgumentError } from 'commander';
import { invoke } from '../../../src/cli/call/invocation.ts';
import { createProgram } from '../../../src/cli/program.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { SqliteDatabase } from '../../../src/storage/sqlite/engine/database.ts';
import { toAppError } from '../../../src/storage/sqlite/engine/sqlite-errors.ts';
import { Kept } from '../../support/cli-call.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { FakeTarget } from '../../support/fake-target.ts';

/** Values that a person may give to any option. */
const ODD = [
  '',
  ' ',
  'never',
  'null',
  '0',
  '-1',
  '1.5',
  '1e999',
  'NaN',
  '9'.repeat(30),
  '90d',
  '99999999d',
  '2027-01-31',
  'x\u0000y',
];

function* allCommands(command: Command): Generator<Command> {
  yield command;
  for (const sub of command.commands) yield* allCommands(sub);
}

async function withoutRunning<T>(work: () => T): Promise<T> {
  const made: T[] = [];
  const streams = { stdin: Readable.from([]), stdout: new Kept(), stderr: new Kept() };
  await invoke({ env: {}, signals: new EventEmitter(), ...streams }, async () => {
    made.push(work());
  });
  return made[0]!;
}

describe('values of command line options', () => {
  const sandbox = useCliSandbox();

  it('never become a null, which commander replaces by an empty text, nor a number that no store takes', async () => {
    let parsed = 0;
    for (const command of allCommands(await withoutRunning(createProgram))) {
      for (const option of command.options) {
        if (option.parseArg === undefined) continue;
        for (const text of ODD) {
          let value: unknown;
          try {
            value = option.parseArg<unknown>(text, undefined);
          } catch (error) {
            assert.ok(
              error instanceof InvalidArgumentError,
              `${command.name()} ${option.flags} ${text}: ${String(error)}`,
            );
            continue;
          }
          parsed += 1;
          const what = `${command.name()} ${option.flags} takes ${JSON.stringify(text)} as ${JSON.stringify(value)}`;
          assert.ok(value !== null && value !== undefined, what);
          if (typeof value === 'number') assert.ok(Number.isFinite(value) && Math.abs(value) <= 8.64e15, what);
        }
      }
    }
    assert.ok(parsed > 20, `only ${parsed} values were taken`);
  });

  it('let forwarding have no end: --until never, as over REST', async () => {
    const errgate = sandbox.current;
    const target = await FakeTarget.start();
    try {
      Object.assign(errgate.env, { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1', ERRGATE_SECRET_KEY: 'ab'.repeat(32) });
      await errgate.done('project', 'create', 'acme/shop');
      const forUntil = async (until: string): Promise<unknown> => {
        await errgate.done('forward', 'set', '--project', 'acme/shop', '--dsn', target.dsn, '--until', until);
        return (await errgate.list('forward', 'list'))[0]?.['until'];
      };
      assert.equal(await forUntil('2099-01-31'), '2099-01-31T23:59:59Z');
      assert.equal(await forUntil('never'), null);
    } finally {
      await target.close();
    }
  });

  it('show no code of a store where it refuses one', () => {
    const refused = toAppError(
      Object.assign(new Error('datatype mismatch'), { errcode: 3091, code: 'ERR_SQLITE_ERROR' }),
    );
    assert.ok(refused instanceof AppError);
    assert.deepEqual([refused.code, /\d/.test(refused.message)], ['internal', false]);
  });

  it('name the place of a fault of errgate, without the code of the store', async () => {
    const errgate = sandbox.current;
    await errgate.done('project', 'create', 'acme/shop');
    const database = new SqliteDatabase(join(errgate.dataDir, 'errgate.db'), { cacheKib: 1000, busyTimeoutMs: 5000 });
    database.connection.exec(
      "CREATE TRIGGER refuse BEFORE INSERT ON projects BEGIN SELECT RAISE(ABORT, 'not taken'); END",
    );
    database.close();
    const { code, stdout, stderr } = await errgate.run('project', 'create', 'acme/other');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, /an internal error, nothing was done by the failed step; please report it/);
    assert.match(stderr, /\n +at .*src[\\/]storage/);
    assert.match(stderr, /not taken/);
    assert.doesNotMatch(stderr, /SQLite code|\b1811\b/);
  });
});
