import assert from 'node:assert/strict';
import { captures, type Capture } from '../../support/ingest-captures.ts';
import { startIngestApp, type IngestApp } from '../../support/ingest-app.ts';

/** Categories of the items that are recognised and counted. */
const CATEGORIES: Record<string, string> = {
  session: 'session',
  sessions: 'session',
  check_in: 'monitor',
  attachment: 'attachment',
};

const KEPT = new Set(['session', 'sessions', 'user_report', 'feedback']);

/** What a capture holds, found without the code under test. */
function expected(capture: Capture): { ids: string[]; items: string[]; outcomes: string[] } {
  const text = capture.body.toString('latin1');
  if (capture.path.includes('/store/')) {
    return { ids: [(JSON.parse(text) as { event_id: string }).event_id], items: [], outcomes: [] };
  }
  const head = JSON.parse(text.slice(0, text.indexOf('\n'))) as { event_id?: string };
  const types = [...text.matchAll(/^\{[^\n]*?"type":"(\w+)"[^\n]*\}$/gm)]
    .map(([line, type]) => ({ line, type: type ?? '' }))
    .filter(({ line }) => line.length < 100)
    .map(({ type }) => type);
  assert.ok(types.length > 0, capture.name);
  return {
    ids: types.includes('event') ? [head.event_id ?? ''] : [],
    items: types.filter((type) => KEPT.has(type)),
    outcomes: types
      .filter((type) => type !== 'event' && !KEPT.has(type))
      .map((type) => `${CATEGORIES[type]} filtered/unsupported_item 1`),
  };
}

describe('captured requests of real SDKs', () => {
  let app: IngestApp;
  before(async () => {
    app = await startIngestApp();
  });
  after(() => app.close());

  const all = captures();

  it('are complete', () => {
    assert.equal(new Set(all.map((capture) => capture.name.split('/')[0])).size, 14);
    assert.ok(all.length > 50);
  });

  for (const capture of all) {
    it(`${capture.name} is accepted`, async () => {
      app.sink.records = [];
      app.sink.appends = 0;
      const { ids, items, outcomes } = expected(capture);
      const answer = await app.send(capture.path, {
        headers: capture.headers,
        body: capture.wire,
        ...(capture.chunked ? { chunkBytes: 4096 } : {}),
      });
      assert.equal(answer.status, 200, answer.text);
      assert.deepEqual(answer.json, ids.length === 0 ? {} : { id: ids[0] });
      assert.deepEqual(app.sink.eventIds, ids);
      assert.deepEqual(app.sink.items, items);
      assert.deepEqual(app.sink.outcomes, outcomes);
      assert.equal(app.sink.appends, 1, 'one append for the whole request');
      for (const record of app.sink.records) {
        if (record.eventId !== null || record.item !== undefined) {
          const event = Buffer.from(record.body);
          assert.ok(capture.body.includes(event), 'the bytes as they came');
          assert.equal(typeof JSON.parse(event.toString()), 'object');
        }
      }
    });
  }

  it('never crash the service when they are cut off', async () => {
    const statuses = new Map<number, number>();
    for (const capture of all) {
      const points = new Set<number>();
      for (let step = 0; step <= 12; step += 1) {
        points.add(Math.floor((capture.wire.length * step) / 12));
      }
      // Around every newline: where headers end and payloads begin.
      for (let at = capture.wire.indexOf(10); at !== -1 && points.size < 40; at = capture.wire.indexOf(10, at + 1)) {
        points
          .add(at)
          .add(at + 1)
          .add(at + 2);
      }
      for (const point of points) {
        const { status } = await app.send(capture.path, {
          headers: capture.headers,
          body: capture.wire.subarray(0, point),
        });
        assert.ok(status === 200 || status === 400, `${capture.name} cut at ${point}: ${status}`);
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
    }
    assert.ok((statuses.get(200) ?? 0) > 50 && (statuses.get(400) ?? 0) > 200, JSON.stringify([...statuses]));
    assert.deepEqual(app.logged, []);
  });
});
