import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { AUTH, ENVELOPE, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { zstdRaw } from '../../support/ingest-zstd.ts';

const ID = '7f9bdf379dd94837b0dd965053664889';
const EVENT = Buffer.from(JSON.stringify({ event_id: ID, message: 'grüße', extra: 'abc'.repeat(1000) }));
const ENVELOPE_BODY = Buffer.concat([
  Buffer.from(`{"event_id":"${ID}"}\n{"type":"event","length":${EVENT.length}}\n`),
  EVENT,
]);

const same = (body: Buffer) => body;
const ENCODINGS: [what: string, header: string | null, encode: (body: Buffer) => Buffer][] = [
  ['no header', null, same],
  ['an empty header', '', same],
  ['identity', 'identity', same],
  ['utf-8', 'utf-8', same],
  ['gzip', 'gzip', gzipSync],
  ['deflate', 'deflate', deflateSync],
  ['raw deflate', 'deflate', deflateRawSync],
  ['br', 'br', brotliCompressSync],
  ['zstd', 'zstd', zstdRaw],
];

describe('encodings', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp();
  });
  after(() => app.close());

  for (const [what, header, encode] of ENCODINGS) {
    for (const [path, body] of [
      [STORE, EVENT],
      [ENVELOPE, ENVELOPE_BODY],
    ] as const) {
      for (const chunkBytes of [undefined, 100]) {
        it(`${path}: ${what}${chunkBytes === undefined ? '' : ', chunked'}`, async () => {
          app.sink.records = [];
          const answer = await app.send(path, {
            headers: header === null ? AUTH : { ...AUTH, 'Content-Encoding': header },
            body: encode(body),
            ...(chunkBytes === undefined ? {} : { chunkBytes }),
          });
          assert.equal(answer.status, 200, answer.text);
          assert.deepEqual(answer.json, { id: ID });
          assert.ok(EVENT.equals(app.sink.records[0]?.body ?? Buffer.alloc(0)));
        });
      }
    }
  }
});
