import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';

describe('AppError', () => {
  it('has the details of its code, which a look at the code narrows', () => {
    const thrown: unknown = new AppError('method_not_allowed', 'no', { details: { allow: 'GET' } });
    assert.ok(thrown instanceof AppError);
    const allow: string | undefined = thrown.code === 'method_not_allowed' ? thrown.details?.allow : undefined;
    assert.equal(allow, 'GET');
    assert.deepEqual([thrown.name, thrown instanceof Error], ['AppError', true]);
  });

  it('takes no details of another code', () => {
    // @ts-expect-error the code has no details
    const none = new AppError('not_found', 'no', { details: { allow: 'GET' } });
    // @ts-expect-error details of another code
    const other = new AppError('method_not_allowed', 'no', { details: { pid: 1 } });
    assert.deepEqual([none.code, other.code], ['not_found', 'method_not_allowed']);
  });
});
