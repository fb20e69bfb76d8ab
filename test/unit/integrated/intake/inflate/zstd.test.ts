import assert from 'node:assert/strict';
import fc from 'fast-check';
import { AppError, type ErrorCode } from '../../../../../src/domain/app-error.ts';
import { inflateZstd } from '../../../../../src/integrated/intake/inflate/zstd.ts';
import { checkZstdFrames } from '../../../../../src/integrated/intake/inflate/zstd-frames.ts';
import { ZstdThread } from '../../../../../src/integrated/intake/inflate/zstd-thread.ts';
import { blockHeader, frameHeader, zstdFixture, zstdRaw } from '../../../../support/ingest-zstd.ts';

const MAX = 20 * 1024 * 1024;
const failsWith = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code;

/** A compressed block of 15 bytes that makes a trusting decoder compute for minutes: 98,047 sequences out of nothing. */
const ENDLESS = Buffer.concat([
  frameHeader(),
  blockHeader(true, 2, 15),
  // Literals: raw, none. Sequences: 0x7f00 + 0xffff of them, every table one symbol: the longest match.
  Buffer.from([0x00, 0xff, 0xff, 0xff, 0x54, 0x00, 0x00, 0x34, 0, 0, 0, 0, 0, 0, 1]),
]);

describe('zstd', () => {
  it('inflates what the zstd command makes', async () => {
    const event = JSON.parse((await inflateZstd(zstdFixture('event.json.zst'), MAX)).toString()) as { message: string };
    assert.equal(event.message, 'hello from zstd');
    const zeros = await inflateZstd(zstdFixture('zeros-10mb.zst'), MAX);
    assert.equal(zeros.length, 10_000_000);
    assert.ok(zeros.equals(Buffer.alloc(10_000_000)));
  });

  it('inflates several frames and skips skippable ones', async () => {
    const skippable = Buffer.from([0x53, 0x2a, 0x4d, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    const wire = Buffer.concat([zstdRaw(Buffer.from('{"a":')), skippable, zstdRaw(Buffer.from('1}'))]);
    assert.equal((await inflateZstd(wire, MAX)).toString(), '{"a":1}');
  });

  it('inflates concurrent bodies, each its own', async () => {
    const bodies = Array.from({ length: 20 }, (_, index) => Buffer.from(`body ${index}`));
    const inflated = await Promise.all(bodies.map((body) => inflateZstd(zstdRaw(body), MAX)));
    assert.deepEqual(inflated.map(String), bodies.map(String));
  });

  it('stops at the bound', async () => {
    await assert.rejects(inflateZstd(zstdFixture('zeros-10mb.zst'), 1_000_000), failsWith('ingest_too_large'));
    assert.equal((await inflateZstd(zstdFixture('zeros-10mb.zst'), 10_000_000)).length, 10_000_000);
  });

  it('refuses a window beyond 8 MiB before anything is allocated', async () => {
    await assert.rejects(inflateZstd(zstdFixture('window-128mb.zst'), MAX), failsWith('ingest_too_large'));
    const tail = Buffer.concat([blockHeader(true, 0, 1), Buffer.from('x')]);
    checkZstdFrames(Buffer.concat([frameHeader(13 << 3), tail]), MAX);
    assert.throws(
      () => checkZstdFrames(Buffer.concat([frameHeader((13 << 3) | 1), tail]), MAX),
      failsWith('ingest_too_large'),
    );
  });

  it('refuses a claimed content size beyond the bound, dictionaries, reserved bits and oversized blocks', () => {
    const magic = [0x28, 0xb5, 0x2f, 0xfd];
    const block = [...blockHeader(true, 0, 0)];
    const check = (...bytes: number[]) => checkZstdFrames(Buffer.from([...magic, ...bytes]), MAX);
    check(0x20, 0, ...block);
    assert.throws(() => check(0xe0, 255, 255, 255, 255, 255, 255, 255, 255, ...block), failsWith('ingest_too_large'));
    assert.throws(() => check(0x21, 5, 0, ...block), failsWith('ingest_invalid'));
    assert.throws(() => check(0x28, 0, ...block), failsWith('ingest_invalid'));
    assert.throws(() => check(0x20, 0, ...blockHeader(true, 3, 0)), failsWith('ingest_invalid'));
    assert.throws(() => check(0x20, 0, ...blockHeader(true, 1, 200_000), 7), failsWith('ingest_invalid'));
  });

  it('refuses every truncation', () => {
    const wire = zstdFixture('event.json.zst');
    for (let length = 0; length < wire.length; length += 1) {
      assert.throws(
        () => checkZstdFrames(wire.subarray(0, length), MAX),
        failsWith('ingest_invalid'),
        `${length} bytes`,
      );
    }
  });

  it('never throws anything else from the frame check', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.boolean(), (raw, withMagic) => {
        const body = Buffer.concat([withMagic ? frameHeader().subarray(0, 4) : Buffer.alloc(0), raw]);
        try {
          checkZstdFrames(body, MAX);
        } catch (error) {
          assert.ok(error instanceof AppError);
        }
      }),
    );
  });
});

describe('zstd thread', () => {
  it('gives up a body that makes the decoder compute without end, and takes the next one', async () => {
    checkZstdFrames(ENDLESS, MAX);
    const thread = new ZstdThread({ deadlineMs: 500 });
    const begun = performance.now();
    await assert.rejects(thread.inflate(ENDLESS, MAX), failsWith('ingest_invalid'));
    assert.ok(performance.now() - begun >= 499, 'the decoder did compute until the deadline');
    assert.equal((await thread.inflate(zstdRaw(Buffer.from('next')), MAX)).toString(), 'next');
  });

  it('answers corrupt blocks', async () => {
    const thread = new ZstdThread();
    const corrupt = Buffer.concat([frameHeader(), blockHeader(true, 2, 4), Buffer.from([255, 255, 255, 255])]);
    await assert.rejects(thread.inflate(corrupt, MAX), failsWith('ingest_invalid'));
  });

  it('refuses for the moment when too many bodies wait', async () => {
    const thread = new ZstdThread();
    const answers = await Promise.allSettled(
      Array.from({ length: 70 }, () => thread.inflate(zstdRaw(Buffer.from('x')), MAX)),
    );
    const refused = answers.filter((answer) => answer.status === 'rejected');
    assert.equal(refused.length, 6);
    assert.ok(refused.every((answer) => failsWith('ingest_unavailable')(answer.reason)));
  });

  it('is unavailable, not broken, when the thread cannot start', async () => {
    const thread = new ZstdThread({ module: './no-such-worker' });
    await assert.rejects(thread.inflate(zstdRaw(Buffer.from('x')), MAX), failsWith('ingest_unavailable'));
    await assert.rejects(thread.inflate(zstdRaw(Buffer.from('x')), MAX), failsWith('ingest_unavailable'));
  });
});
