import assert from 'node:assert/strict';
import { storeAdvice } from '../../../../src/cli/doctor/store-advice.ts';
import { AppError, type ErrorCode } from '../../../../src/domain/app-error.ts';

describe('doctor: a store that cannot be looked at', () => {
  const cases: [code: ErrorCode, shared: boolean, advice: RegExp][] = [
    ['store_unavailable', true, /start the database/],
    ['store_unavailable', false, /file/],
    ['invalid_configuration', true, /ERRGATE_STORE_URL/],
    ['store_outdated', true, /stop all gateways, run `errgate migrate`/],
    ['store_outdated', false, /start the service, or run `errgate migrate`/],
    ['store_too_new', true, /newer/],
    ['conflict', true, /copy-store/],
    ['internal', false, /Backup and restore/],
    ['internal', true, /Backup with MongoDB/],
  ];
  for (const [code, shared, advice] of cases) {
    it(`${code}, ${shared ? 'a server' : 'a file'}`, () => {
      assert.match(storeAdvice(new AppError(code, 'x'), shared), advice);
    });
  }

  it('never sends somebody whose database is absent to the backups', () => {
    assert.doesNotMatch(storeAdvice(new AppError('store_unavailable', 'x'), true), /[Bb]ackup/);
  });
});
