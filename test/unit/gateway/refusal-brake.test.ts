import assert from 'node:assert/strict';
import { RefusalBrake } from '../../../src/gateway/routes/ingest/refusal-brake.ts';

describe('the brake on refusals', () => {
  let now: number;
  let pauses: { readonly ms: number; readonly end: () => void }[];
  let brake: RefusalBrake;
  beforeEach(() => {
    now = 5000;
    pauses = [];
    brake = new RefusalBrake({
      clock: { now: () => now },
      pause: (ms) => new Promise<void>((end) => pauses.push({ ms, end })),
    });
  });

  const holdAll = async (count: number): Promise<void> => {
    for (let i = 0; i < count; i += 1) await brake.hold(403);
  };

  it('answers a hundred a second at once, and puts the others off', async () => {
    await holdAll(100);
    assert.equal(pauses.length, 0);
    let answered = false;
    const late = brake.hold(401).then(() => (answered = true));
    await Promise.resolve();
    assert.deepEqual([pauses.map(({ ms }) => ms), answered], [[100], false]);
    pauses[0]?.end();
    await late;
    now = 6000;
    await holdAll(100);
    assert.equal(pauses.length, 1);
  });

  it('never puts off what was let in, limited or cannot be taken now', async () => {
    await holdAll(100);
    for (const status of [200, 400, 413, 415, 429, 503]) await brake.hold(status);
    assert.equal(pauses.length, 0);
    for (const status of [401, 403, 404, 405]) void brake.hold(status);
    assert.equal(pauses.length, 4);
  });

  it('lets no more than a thousand wait at a time', async () => {
    await holdAll(100);
    const waiting = Array.from({ length: 1000 }, () => brake.hold(403));
    await brake.hold(403);
    assert.equal(pauses.length, 1000);
    for (const { end } of pauses) end();
    await Promise.all(waiting);
    void brake.hold(403);
    assert.equal(pauses.length, 1001);
  });
});
