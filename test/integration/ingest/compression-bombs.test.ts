import assert from 'node:assert/strict';
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { AUTH, ENVELOPE, STORE, startIngestApp, type IngestApp } from '../../support/ingest-app.ts';
import { zstdFixture } from '../../support/ingest-zstd.ts';

const ZEROS = Buffer.alloc(10_000_000);
/** Requests at a time: 300 MB if each were inflated and joined at once. */
const REQUESTS = 15;
const BOMBS: [encoding: string, wire: Buffer][] = [
  ['gzip', gzipSync(ZEROS)],
  ['deflate', deflateSync(ZEROS)],
  ['deflate', deflateRawSync(ZEROS)],
  ['br', brotliCompressSync(ZEROS)],
  ['zstd', zstdFixture('zeros-10mb.zst')],
];

describe('compression bombs', () => {
  for (const [where, limits] of [
    ['within the bound of inflated bytes', {}],
    ['beyond the bound of inflated bytes', { maxInflatedBytes: 1_000_000 }],
  ] as const) {
    describe(where, () => {
      let app: IngestApp;
      before(async () => {
        app = await startIngestApp({ limits });
      });
      after(() => app.close());

      for (const [encoding, wire] of BOMBS) {
        it(`${encoding}, 10 MB from ${wire.length} bytes: refused, with nothing left behind`, async () => {
          assert.ok(wire.length < 20_000);
          const before = process.memoryUsage().rss;
          let most = 0;
          const watch = setInterval(() => (most = Math.max(most, process.memoryUsage().rss)), 5);
          const answers = await Promise.all(
            Array.from({ length: REQUESTS }, (_, index) =>
              app.send(index % 2 === 0 ? STORE : ENVELOPE, {
                headers: { ...AUTH, 'Content-Encoding': encoding },
                body: wire,
              }),
            ),
          );
          for (const answer of answers) {
            assert.equal(answer.status, 'maxInflatedBytes' in limits ? 413 : 400, answer.text);
          }
          clearInterval(watch);
          assert.ok(most - before < 250_000_000, `memory grew by ${most - before} bytes`);
          assert.deepEqual(app.sink.records, []);
        });
      }
    });
  }

  it('an event that inflates beyond its own bound is answered 413', async () => {
    const app = await startIngestApp();
    const event = Buffer.from(`{"a":"${'x'.repeat(10_000_000)}"}`);
    for (const [encoding, encode] of [
      ['gzip', gzipSync],
      ['deflate', deflateSync],
      ['br', brotliCompressSync],
    ] as const) {
      const headers = { ...AUTH, 'Content-Encoding': encoding };
      assert.equal((await app.send(STORE, { headers, body: encode(event) })).status, 413);
      const envelope = Buffer.concat([Buffer.from('{}\n{"type":"event"}\n'), event]);
      assert.equal((await app.send(ENVELOPE, { headers, body: encode(envelope) })).status, 413);
    }
    const base64 = Buffer.from(deflateSync(event).toString('base64'));
    assert.equal((await app.send(STORE, { headers: AUTH, body: base64 })).status, 413);
    await app.close();
  });
});
