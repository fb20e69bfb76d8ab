import assert from 'node:assert/strict';
import { AppError, type ErrorCode } from '../../src/domain/app-error.ts';

/** Validator for `assert.rejects`: an AppError with one of the codes and a readable message. */
export function isAppErrorWith(...codes: readonly ErrorCode[]): (error: unknown) => true {
  return (error) => {
    assert.ok(error instanceof AppError, `not an error of the closed set: ${String(error)}`);
    assert.ok(codes.includes(error.code), `code ${error.code} (${error.message}) instead of ${codes.join(' or ')}`);
    assert.ok(error.message.length > 0);
    return true;
  };
}
