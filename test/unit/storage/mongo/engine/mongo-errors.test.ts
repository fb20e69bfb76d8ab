import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { mongo } from 'mongoose';
import { AppError } from '../../../../../src/domain/app-error.ts';
import {
  isDuplicateKey,
  isWriteConflict,
  toAppError,
  toOpeningError,
} from '../../../../../src/storage/mongo/engine/mongo-errors.ts';

const answer = (code: number) => new mongo.MongoServerError({ message: `secret text ${code}`, code, ok: 0 });
const HOSTS = 'db1:27017';

describe('errors of MongoDB', () => {
  it('are outages where the server cannot serve now, whatever it is called', () => {
    const wordless = answer(999);
    wordless.addErrorLabel('RetryableWriteError');
    const away: Error[] = [
      ...[50, 64, 89, 91, 100, 112, 189, 262, 10_107, 11_600, 11_602, 13_388, 13_435, 13_436].map(answer),
      // PostgreSQL's query_canceled, admin_shutdown, crash_shutdown, cannot_connect_now.
      ...[67_371_461, 16_908_741, 33_685_957, 50_463_173].map(answer),
      wordless,
      new mongo.MongoNetworkError('connection 1 to 10.0.0.1 closed'),
      new mongo.MongoWriteConcernError({ ok: 1, writeConcernError: { code: 79, errmsg: 'unknown' } }),
      Object.assign(new Error('querySrv ENOTFOUND _mongodb._tcp.db1'), { syscall: 'querySrv', code: 'ENOTFOUND' }),
    ];
    for (const error of away) {
      const made = toAppError(error, HOSTS);
      assert.equal(made.code, 'store_unavailable', error.message);
      assert.ok((made.retryAfterSeconds ?? 0) > 0);
      assert.match(made.message, /db1:27017/);
    }
  });

  it('about two writes at once are conflicts of writes, also in the numbers of engines on PostgreSQL', () => {
    // WriteConflict, serialization_failure, deadlock_detected, lock_not_available.
    for (const code of [112, 16_777_220, 16_908_292, 50_463_045]) {
      assert.ok(isWriteConflict(answer(code)), String(code));
      assert.equal(toAppError(answer(code), HOSTS).code, 'store_unavailable');
    }
    assert.ok(!isWriteConflict(answer(11_000)));
    assert.ok(!isWriteConflict(new Error('112')));
  });

  it('about access are wrong configuration at first and an outage later', () => {
    for (const [code, advice] of [
      [18, /credentials/],
      [8000, /credentials/],
      [13, /readWrite/],
    ] as const) {
      assert.equal(toOpeningError(answer(code), HOSTS).code, 'invalid_configuration');
      assert.match(toOpeningError(answer(code), HOSTS).message, advice);
      assert.equal(toAppError(answer(code), HOSTS).code, 'store_unavailable');
    }
    const hidden = new mongo.MongoNetworkError('handshake failed', { cause: answer(18) });
    assert.equal(toOpeningError(hidden, HOSTS).code, 'invalid_configuration');
  });

  it('about a key that is there are conflicts; others are internal; ours pass', () => {
    assert.ok(isDuplicateKey(answer(11_000)));
    assert.ok(!isDuplicateKey(answer(11_001)));
    assert.ok(!isDuplicateKey(new Error('11000')));
    assert.equal(toAppError(answer(11_000), HOSTS).code, 'conflict');
    const refused = toAppError(answer(2), HOSTS);
    assert.deepEqual([refused.code, refused.message], ['internal', 'the store failed'], 'without the code');
    assert.equal(toAppError(new TypeError('x'), HOSTS).code, 'internal');
    assert.equal(toAppError('x', HOSTS).code, 'internal');
    const own = new AppError('not_found', 'there is no such thing');
    assert.equal(toAppError(own, HOSTS), own);
    assert.equal(toOpeningError(own, HOSTS), own);
  });

  it('never take what the driver says along: it may quote documents or the address', () => {
    for (const error of [answer(2), answer(13), answer(11_000), new mongo.MongoParseError('secret option')]) {
      for (const made of [toAppError(error, HOSTS), toOpeningError(error, HOSTS)]) {
        assert.ok(!inspect(made, { depth: 10, showHidden: true }).includes('secret'), inspect(made));
      }
    }
  });
});
