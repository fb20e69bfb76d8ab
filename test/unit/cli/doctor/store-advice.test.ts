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

  const ofFile = (errcode: number): string =>
    storeAdvice(new AppError('store_unavailable', 'x', { cause: Object.assign(new Error('x'), { errcode }) }), false);

  it('advises to restore a backup of a damaged file, and not to look for another program', () => {
    for (const errcode of [11, 26, 267]) {
      assert.match(ofFile(errcode), /errgate restore FILE/);
      assert.doesNotMatch(ofFile(errcode), /program/);
    }
  });

  it('advises to look for another program that holds a locked file, and not to restore', () => {
    for (const errcode of [5, 6, 15, 261]) {
      assert.match(ofFile(errcode), /other program/);
      assert.doesNotMatch(ofFile(errcode), /restore/);
    }
  });

  it('never sends somebody whose database is absent to the backups', () => {
    assert.doesNotMatch(storeAdvice(new AppError('store_unavailable', 'x'), true), /[Bb]ackup/);
  });
});
