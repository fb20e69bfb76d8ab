import assert from 'node:assert/strict';
import { AppError } from '../../../src/domain/app-error.ts';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { ReconnectingStore } from '../../../src/storage/open/reconnecting-store.ts';

/** Answers `ping` through a private field, as real stores do, and remembers that it was closed. */
class FakeStore {
  readonly #name: string;
  closed = false;

  constructor(name: string) {
    this.#name = name;
  }

  async getMeta(key: string): Promise<string> {
    return `${this.#name}: ${key}`;
  }

  async close(): Promise<void> {
    this.closed = true;
  }
}

function setUp(admit: (store: Store) => Promise<void> = async () => undefined) {
  const opened: FakeStore[] = [];
  const late = new ReconnectingStore({
    open: async () => {
      const store = new FakeStore(`store ${opened.length + 1}`);
      opened.push(store);
      return store as unknown as Store;
    },
    admit,
    waitsFor: [],
    onAway: () => undefined,
  });
  return { late, opened };
}

describe('late store', () => {
  it('says why it is not there, and answers once it is', async () => {
    const { late } = setUp();
    late.explain('the server sleeps');
    await assert.rejects(late.store.getMeta('a'), {
      code: 'store_unavailable',
      message: 'the server sleeps',
      retryAfterSeconds: 5,
    });
    await late.open();
    assert.equal(await late.store.getMeta('a'), 'store 1: a');
  });

  it('puts a store opened again in the place of the former one', async () => {
    const { late, opened } = setUp();
    const { store } = late;
    await late.open();
    await late.open();
    assert.equal(await store.getMeta('a'), 'store 2: a');
    assert.deepEqual(
      opened.map(({ closed }) => closed),
      [true, false],
    );
  });

  it('hands out no store that was refused, and closes it', async () => {
    const { late, opened } = setUp(() => Promise.reject(new AppError('invalid_configuration', 'another key')));
    await assert.rejects(late.open(), { code: 'invalid_configuration' });
    await assert.rejects(late.store.ping(), { code: 'store_unavailable' });
    assert.equal(opened[0]?.closed, true);
  });

  it('can be what a promise resolves with', async () => {
    const { late } = setUp();
    assert.equal(await Promise.resolve(late.store), late.store);
  });

  it('is closed through the store too, and opens nothing afterwards', async () => {
    const { late, opened } = setUp();
    await late.open();
    await late.store.close();
    assert.equal(opened[0]?.closed, true);
    await assert.rejects(late.store.ping(), { code: 'store_unavailable', message: 'the store is closed' });
    await late.open();
    assert.equal(late.isOpen, false);
  });
});
