import assert from 'node:assert/strict';
import type { DigestLoop } from '../../../../../src/integrated/digest/loop/digest-loop.ts';
import type { Sleep } from '../../../../../src/lib/back-off.ts';
import type { Journal } from '../../../../../src/integrated/intake/journal/journal.ts';
import { makeLoop, openJournal, record } from '../../../../support/journal-world.ts';
import { MemoryBatchStore } from '../../../../support/memory-batch-store.ts';
import { SimulatedDisk } from '../../../../support/simulated-disk.ts';

const GATHER_MS = 60_000;

/** A loop whose waits last until they are ended, with what is asked of them. */
class World {
  readonly disk = new SimulatedDisk();
  readonly store = new MemoryBatchStore();
  /** Milliseconds of each wait. */
  readonly waits: number[] = [];
  #endWait = (): void => undefined;
  #wake = (): void => undefined;

  readonly #sleep: Sleep = (ms, signal) => {
    this.waits.push(ms);
    this.#wake();
    return new Promise((resolve) => {
      this.#endWait = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  };

  async open(): Promise<{ journal: Journal; loop: DigestLoop }> {
    const journal = await openJournal(this.disk, { segmentBytes: 8 * 1024 * 1024 });
    const applied = this.store.applyBatch.bind(this.store);
    this.store.applyBatch = async (...given) => {
      const result = await applied(...given);
      this.#wake();
      return result;
    };
    const options = { gatherMs: GATHER_MS, sleep: this.#sleep, maxRecords: 1000, maxBytes: 8 * 1024 * 1024 };
    const loop = makeLoop(this.disk, this.store, options);
    loop.start();
    return { journal, loop };
  }

  /** As if the time of the last wait were over. */
  timePasses(): void {
    this.#endWait();
  }

  get sizes(): number[] {
    return this.store.batches.map(({ events }) => events);
  }

  /** Resolves when there are at least `batches` batches and `waits` waits. */
  async until(batches: number, waits: number): Promise<void> {
    while (this.store.batches.length < batches || this.waits.length < waits) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    // Whatever follows by itself has its turn.
    await new Promise(setImmediate);
  }
}

async function send(world: { journal: Journal; loop: DigestLoop }, from: number, count: number, body?: Buffer) {
  for (let i = from; i < from + count; i += 1) {
    await world.journal.append([record(i, body === undefined ? {} : { body })]);
    world.loop.advance(world.journal.position());
  }
}

/** A world in which the first record was taken just now. */
async function begun() {
  const world = new World();
  const open = await world.open();
  await send(open, 0, 1);
  await world.until(1, 0);
  return { world, open };
}

describe('waiting for more records before a batch', () => {
  it('digests the first record after a quiet time at once, and slow arrivals together', async () => {
    const { world, open } = await begun();
    assert.deepEqual(world.sizes, [1]);
    await send(open, 1, 20);
    await world.until(1, 1);
    assert.deepEqual(world.sizes, [1]);
    const [wait = 0] = world.waits;
    assert.ok(wait > 0 && wait <= GATHER_MS, `waits ${wait} ms`);
    world.timePasses();
    await world.until(2, 1);
    assert.deepEqual(world.sizes, [1, 20]);
    await open.loop.stop();
  });

  it('does not wait when many records have arrived', async () => {
    const { world, open } = await begun();
    await send(open, 1, 1);
    await world.until(1, 1);
    await send(open, 2, 1, Buffer.from(JSON.stringify({ text: 'x'.repeat(2 * 1024 * 1024) })));
    await world.until(2, 1);
    assert.deepEqual(world.sizes, [1, 2]);
    await open.loop.stop();
  });

  it('does not wait while a caller waits for the digest', async () => {
    const { world, open } = await begun();
    await send(open, 1, 3);
    await world.until(1, 1);
    assert.equal(await open.loop.idle(), true);
    assert.deepEqual(world.sizes, [1, 3]);
    await open.loop.stop();
  });

  it('ends with a stop, and the next start digests the rest', async () => {
    const { world, open } = await begun();
    await send(open, 1, 3);
    await world.until(1, 1);
    await open.loop.stop();
    const next = makeLoop(world.disk, world.store);
    next.start();
    next.advance(open.journal.position());
    assert.equal(await next.idle(), true);
    assert.equal(world.store.counted.size, 4);
    await next.stop();
  });
});
