import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  FRAME_HEADER_BYTES,
  decodeRecord,
  encodeRecord,
} from '../../../../../src/integrated/intake/journal/record-frame.ts';
import { record } from '../../../../support/journal-world.ts';

function payloadOf(buffers: Buffer[]): Buffer {
  return Buffer.concat(buffers).subarray(FRAME_HEADER_BYTES);
}

describe('record frame', () => {
  it('gives back every record as it was', () => {
    const text = fc.oneof(fc.constant(null), fc.string({ unit: 'binary' }));
    const number = fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER });
    const outcome = fc.record(
      {
        category: fc.string(),
        outcome: fc.constantFrom(
          'filtered' as const,
          'rate_limited' as const,
          'invalid' as const,
          'client_discard' as const,
        ),
        reason: fc.string(),
        quantity: number,
      },
      { noNullPrototype: true },
    );
    const records = fc.record(
      {
        projectId: number,
        keyId: number,
        receivedAt: number,
        eventId: text,
        sentAt: fc.oneof(fc.constant(null), number),
        clientIp: text,
        client: text,
        outcomes: fc.array(outcome),
        header: fc.oneof(
          fc.constant(undefined),
          fc.record({ transaction: text, traceId: text, sdkName: text, sdkVersion: text }, { noNullPrototype: true }),
        ),
        body: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
      },
      { noNullPrototype: true },
    );
    fc.assert(
      fc.property(records, ({ header, ...others }) => {
        const value = header === undefined ? others : { ...others, header };
        assert.deepEqual(decodeRecord(payloadOf(encodeRecord(value))), value);
      }),
    );
  });

  it('does not copy the body', () => {
    const body = Buffer.from('{"a":1}');
    const [, written] = encodeRecord(record(1, { body }));
    assert.equal(written?.buffer, body.buffer);
    assert.equal(written.byteOffset, body.byteOffset);
  });

  it('refuses what it did not write, without quoting it', () => {
    const secret = Buffer.from('secret-of-a-person');
    const wrongJson = Buffer.concat([Buffer.from([secret.length, 0, 0, 0]), secret]);
    const otherShape = Buffer.from('["secret"]');
    const cases = [
      Buffer.alloc(0),
      Buffer.from([255, 255, 255, 255, 1]),
      wrongJson,
      Buffer.concat([Buffer.from([otherShape.length, 0, 0, 0]), otherShape]),
    ];
    for (const payload of cases) {
      assert.throws(
        () => decodeRecord(payload),
        (error: Error) => !error.message.includes('secret') && error.message.startsWith('journal record: '),
      );
    }
  });
});
