import assert from 'node:assert/strict';
import { brotliCompressSync, constants, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { AppError, type ErrorCode } from '../../../../../src/domain/app-error.ts';
import { inflate } from '../../../../../src/integrated/intake/inflate/inflate.ts';
import { zstdRaw } from '../../../../support/ingest-zstd.ts';

const MAX = 4 * 1024 * 1024;
const SMALL = Buffer.from(JSON.stringify({ message: 'hello', extra: 'abc'.repeat(500) }));
/** Too large for the inline path, and not compressible below its bound either. */
const LARGE = Buffer.from(Array.from({ length: 50_000 }, (_, index) => String(Math.imul(index, 2654435761))).join(','));

const brotli = (body: Buffer) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

const ENCODERS: [encoding: string, what: string, encode: (body: Buffer) => Buffer][] = [
  ['gzip', 'gzip', gzipSync],
  ['GZIP ', 'gzip', gzipSync],
  ['x-gzip', 'gzip', gzipSync],
  ['deflate', 'zlib', deflateSync],
  ['deflate', 'raw deflate', deflateRawSync],
  ['br', 'brotli', brotli],
  ['zstd', 'zstd', zstdRaw],
];

const failsWith = (code: ErrorCode) => (error: unknown) => error instanceof AppError && error.code === code;

describe('inflate', () => {
  for (const encoding of [undefined, '', ' ', 'identity', 'utf-8', 'UTF-8', 'utf8']) {
    it(`hands on the very same bytes for ${JSON.stringify(encoding)}`, async () => {
      assert.equal(await inflate(SMALL, encoding, MAX), SMALL);
    });
  }

  for (const [encoding, what, encode] of ENCODERS) {
    it(`decodes ${encoding} made by ${what}, small and large`, async () => {
      assert.ok(encode(LARGE).length > 16 * 1024);
      for (const body of [SMALL, LARGE, Buffer.alloc(0), Buffer.alloc(1024 * 1024)]) {
        assert.ok(body.equals(await inflate(encode(body), encoding, MAX)));
      }
    });

    it(`refuses ${encoding} made by ${what} beyond the bound, and takes it up to the bound`, async () => {
      for (const body of [SMALL, LARGE, Buffer.alloc(1024 * 1024)]) {
        assert.equal((await inflate(encode(body), encoding, body.length)).length, body.length);
        await assert.rejects(
          async () => inflate(encode(body), encoding, body.length - 1),
          failsWith('ingest_too_large'),
        );
      }
    });

    it(`refuses cut off and corrupt ${encoding} made by ${what}`, async () => {
      for (const body of [SMALL, LARGE]) {
        const wire = encode(body);
        for (const part of [0.3, 0.6, 0.95]) {
          const cut = wire.subarray(0, Math.floor(wire.length * part));
          await assert.rejects(async () => inflate(cut, encoding, MAX), failsWith('ingest_invalid'));
        }
      }
      await assert.rejects(async () => inflate(Buffer.alloc(0), encoding, MAX), failsWith('ingest_invalid'));
      await assert.rejects(
        async () => inflate(Buffer.from('{"message":"x"}'), encoding, MAX),
        failsWith('ingest_invalid'),
      );
    });
  }

  it('refuses an uncompressed body beyond the bound', async () => {
    await assert.rejects(async () => inflate(SMALL, undefined, SMALL.length - 1), failsWith('ingest_too_large'));
  });

  it('refuses unknown encodings and lists the known ones', async () => {
    for (const encoding of ['lzma', 'gzip, deflate', 'compress']) {
      await assert.rejects(
        async () => inflate(SMALL, encoding, MAX),
        (error) =>
          failsWith('ingest_unsupported_encoding')(error) &&
          (error as AppError<'ingest_unsupported_encoding'>).details?.acceptEncoding === 'gzip, deflate, br, zstd',
      );
    }
  });
});
