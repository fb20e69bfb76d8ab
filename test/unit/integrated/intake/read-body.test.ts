import assert from 'node:assert/strict';
import { PassThrough, Readable } from 'node:stream';
import { AppError, type ErrorCode } from '../../../../src/domain/app-error.ts';
import { ByteBudget } from '../../../../src/integrated/intake/limits/byte-budget.ts';
import { readBody } from '../../../../src/integrated/intake/read-body.ts';
import { LIMITS } from '../../../support/ingest-app.ts';

const failsWith = (code: ErrorCode, reason?: string) => (error: unknown) =>
  error instanceof AppError && error.code === code && error.details?.reason === reason;
const budget = () => new ByteBudget(1_000_000);

describe('read body', () => {
  it('joins the pieces, and copies a single one not at all', async () => {
    const piece = Buffer.from('abc');
    assert.equal(
      (await readBody(Readable.from([piece, Buffer.from('de')]), LIMITS, budget())).bytes.toString(),
      'abcde',
    );
    assert.equal((await readBody(Readable.from([piece]), LIMITS, budget())).bytes, piece);
    assert.equal((await readBody(Readable.from([]), LIMITS, budget())).bytes.length, 0);
  });

  it('refuses beyond the bound and discards the rest', async () => {
    const body = new PassThrough();
    const reading = readBody(body, { ...LIMITS, maxRequestBytes: 4 }, budget());
    body.write('abc');
    body.write('de');
    await assert.rejects(reading, failsWith('ingest_too_large'));
    body.end('more');
    await new Promise((resolve) => body.once('end', resolve));
  });

  it('takes exactly the bound', async () => {
    const limits = { ...LIMITS, maxRequestBytes: 4 };
    assert.equal((await readBody(Readable.from([Buffer.from('abcd')]), limits, budget())).bytes.length, 4);
  });

  it('refuses a sender that is too slow and asks to close the connection', async () => {
    const body = new PassThrough();
    body.write('a');
    await assert.rejects(
      readBody(body, { ...LIMITS, bodyTimeoutMs: 5 }, budget()),
      (error) =>
        failsWith('ingest_invalid', 'timeout')(error) && (error as AppError<'ingest_invalid'>).details?.close === true,
    );
  });

  it('notices a sender that goes away, before, during and with an error', async () => {
    const before = new PassThrough();
    before.destroy();
    await assert.rejects(readBody(before, LIMITS, budget()), failsWith('ingest_invalid', 'aborted'));
    for (const error of [undefined, new Error('reset')]) {
      const body = new PassThrough();
      const reading = readBody(body, LIMITS, budget());
      body.write('a');
      body.destroy(error);
      await assert.rejects(reading, failsWith('ingest_invalid', 'aborted'));
    }
  });

  it('refuses large bodies for the moment while the budget is used up, never small ones', async () => {
    const tight = new ByteBudget(150_000);
    const large = () => Readable.from([Buffer.alloc(100_000)]);
    const first = await readBody(large(), LIMITS, tight);
    assert.equal(tight.held, 100_000);
    await assert.rejects(readBody(large(), LIMITS, tight), failsWith('ingest_unavailable'));
    await readBody(Readable.from([Buffer.alloc(60_000)]), LIMITS, tight);
    first.release();
    assert.equal(tight.held, 0);
    (await readBody(large(), LIMITS, tight)).release();
    assert.equal(tight.held, 0);
  });
});
