import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { AppError } from '../../../src/domain/app-error.ts';
import type { TrackingSettings } from '../../../src/domain/projects/tracking-settings.ts';
import { TrackerCache, type CacheOutcome, type CacheSettings } from '../../../src/thirdparty/cache.ts';

const SETTINGS: CacheSettings = {
  maxBytes: 100_000,
  freshMs: 60_000,
  revalidateMs: 240_000,
  maxStaleMs: 3_600_000,
  patienceMs: 3000,
  retryMs: 5000,
};
const outage = new AppError('tracker_unreachable', 'away');

/** A tracker whose answers are given one by one. */
class Questions {
  readonly #open: { resolve: (value: unknown) => void; reject: (error: unknown) => void }[] = [];
  asked = 0;
  ask = (): Promise<string> => {
    this.asked += 1;
    return new Promise((resolve, reject) => this.#open.push({ resolve: resolve as never, reject }));
  };
  answer(value: string): Promise<void> {
    this.#open.shift()?.resolve(value);
    return settled();
  }
  fail(error: unknown): Promise<void> {
    this.#open.shift()?.reject(error);
    return settled();
  }
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('copies of what a tracker answered', () => {
  const clock = { at: 0, now: () => clock.at };
  let outcomes: CacheOutcome[];
  let cache: TrackerCache;
  let tracker: Questions;

  function open(settings: Partial<CacheSettings> = {}): void {
    cache = new TrackerCache({
      settings: { ...SETTINGS, ...settings },
      clock,
      count: (outcome) => outcomes.push(outcome),
    });
  }
  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    clock.at = 1_000_000;
    outcomes = [];
    tracker = new Questions();
    open();
  });
  afterEach(() => mock.timers.reset());
  const read = (name = 'list', atOnce = false) => cache.read<string>('1:x', name, tracker.ask, { atOnce });
  async function first(value = 'one'): Promise<void> {
    const reading = read();
    await tracker.answer(value);
    assert.equal((await reading).value, value);
  }

  it('that lack parts are asked for again as soon as a failure would be', async () => {
    const ask = () => cache.read('1:x', 'list', tracker.ask, { isIncomplete: (answer) => answer === 'half' });
    void ask();
    await tracker.answer('half');
    clock.at += 4999;
    assert.deepEqual([(await ask()).value, tracker.asked], ['half', 1]);
    clock.at += 1;
    assert.deepEqual([(await ask()).value, tracker.asked], ['half', 2]);
  });

  it('are made by one request, however many ask, and served for a minute', async () => {
    const readers = Array.from({ length: 1000 }, () => read());
    await tracker.answer('one');
    const answers = await Promise.all(readers);
    assert.ok(answers.every(({ value, stale }) => value === 'one' && !stale));
    clock.at += 59_999;
    assert.equal((await read()).value, 'one');
    assert.equal(tracker.asked, 1);
  });

  it('are served a while longer, while a newer one is fetched', async () => {
    await first();
    clock.at += 60_000;
    assert.deepEqual(await read(), { value: 'one', askedAt: 1_000_000, stale: false });
    assert.equal((await read()).value, 'one');
    assert.equal(tracker.asked, 2);
    await tracker.answer('two');
    assert.deepEqual(await read(), { value: 'two', askedAt: 1_060_000, stale: false });
  });

  it('are waited for when the old one is older, but not for long', async () => {
    await first();
    clock.at += 400_000;
    const patient = read();
    await tracker.answer('two');
    assert.equal((await patient).value, 'two');
    clock.at += 400_000;
    const impatient = read();
    await settled();
    mock.timers.tick(3000);
    assert.deepEqual(await impatient, { value: 'two', askedAt: 1_400_000, stale: true });
    await tracker.answer('three');
    assert.equal((await read()).value, 'three');
  });

  it('are marked and served during an outage, with one request per refresh for 1,000 readers', async () => {
    await first();
    clock.at += 400_000;
    const readers = Array.from({ length: 1000 }, () => read());
    await tracker.fail(outage);
    for (const { value, stale } of await Promise.all(readers)) assert.deepEqual([value, stale], ['one', true]);
    assert.equal(tracker.asked, 2);
    await Promise.all(Array.from({ length: 1000 }, () => read()));
    assert.equal(tracker.asked, 2);
    clock.at += 5000;
    const later = await Promise.all(Array.from({ length: 1000 }, () => read()));
    assert.equal(tracker.asked, 3);
    assert.ok(later.every(({ stale, askedAt }) => stale && askedAt === 1_000_000));
    await tracker.answer('back');
    assert.deepEqual(await read(), { value: 'back', askedAt: 1_405_000, stale: false });
  });

  it('are too old at some point', async () => {
    await first();
    clock.at += 3_600_001;
    const refused = assert.rejects(read(), outage);
    await tracker.fail(outage);
    await refused;
  });

  it('without a copy hold a failure for the time a limiting tracker requests', async () => {
    const limited = assert.rejects(read(), { code: 'tracker_limited' });
    await tracker.fail(new AppError('tracker_limited', 'slow down', { retryAfterSeconds: 20 }));
    await limited;
    clock.at += 19_999;
    await assert.rejects(read(), { code: 'tracker_limited' });
    assert.equal(tracker.asked, 1);
    assert.equal(outcomes.at(-1), 'held');
    clock.at += 1;
    const again = read();
    await tracker.answer('well');
    assert.equal((await again).value, 'well');
  });

  it('go when the token is refused or the thing is gone, and not when the tracker has a 5xx', async () => {
    for (const [error, kept] of [
      [new AppError('tracker_refused', 'no', { details: { webMessage: 'no', status: 401 } }), false],
      [new AppError('not_found', 'gone'), false],
      [new AppError('tracker_refused', 'sick', { details: { webMessage: 'sick', status: 503 } }), true],
      [new AppError('tracker_invalid_answer', 'noise'), true],
    ] as const) {
      open();
      tracker = new Questions();
      await first();
      clock.at += 400_000;
      const reading = kept ? read().then(({ stale }) => assert.ok(stale)) : assert.rejects(read(), error);
      await tracker.fail(error);
      await reading;
    }
  });

  it('are asked for again after a change, also when the old question is answered later', async () => {
    await first();
    clock.at += 70_000;
    assert.equal((await read()).value, 'one');
    cache.expire('1:x');
    const after = read();
    assert.equal(tracker.asked, 3);
    await tracker.answer('from before');
    await tracker.answer('from after');
    assert.equal((await after).value, 'from after');
    assert.equal((await read()).value, 'from after');
  });

  it('after a change still help out in an outage', async () => {
    await first();
    cache.expire('1:x');
    const reading = read();
    await tracker.fail(outage);
    assert.deepEqual(await reading, { value: 'one', askedAt: 1_000_000, stale: true });
  });

  it('ask polling pages to repeat the request', async () => {
    await assert.rejects(read('list', true), { code: 'not_ready' });
    await assert.rejects(read('list', true), { code: 'not_ready' });
    assert.equal(tracker.asked, 1);
    await tracker.answer('one');
    assert.equal((await read('list', true)).value, 'one');
    await assert.rejects(read('other', true), { code: 'not_ready' });
    await tracker.fail(outage);
    await assert.rejects(read('other', true), outage);
  });

  describe('whose readers go away', () => {
    let signals: AbortSignal[];
    const asking = (name = 'list') => {
      const reader = new AbortController();
      const answer = cache.read<string>(
        '1:x',
        name,
        (signal) => {
          signals.push(signal);
          return tracker.ask();
        },
        { signal: reader.signal },
      );
      answer.catch(() => undefined);
      return { answer, leave: () => reader.abort() };
    };
    const isGone = (error: unknown) => error instanceof AppError && error.details?.reason === 'aborted';
    beforeEach(() => {
      signals = [];
    });

    it('are fetched on while one of them stays', async () => {
      const [first_, second, third] = [asking(), asking(), asking()];
      first_.leave();
      third.leave();
      await assert.rejects(first_.answer, isGone);
      await assert.rejects(third.answer, isGone);
      assert.equal(signals[0]?.aborted, false);
      await tracker.answer('one');
      assert.equal((await second.answer).value, 'one');
      assert.equal((await read()).value, 'one');
      assert.equal(tracker.asked, 1);
      assert.deepEqual(outcomes, ['left', 'left', 'asked', 'fresh']);
    });

    it('are aborted with the last reader; later readers start a new request, and no failure is held', async () => {
      const [first_, second] = [asking(), asking()];
      first_.leave();
      second.leave();
      assert.equal(signals[0]?.aborted, true);
      const late = asking();
      assert.equal(tracker.asked, 2);
      await tracker.fail(outage);
      assert.equal(signals[1]?.aborted, false);
      await tracker.answer('one');
      assert.equal((await late.answer).value, 'one');
    });

    it('are not kept when they were given up half-way', async () => {
      const { leave } = asking();
      leave();
      await tracker.answer('half');
      const whole = asking();
      await tracker.answer('whole');
      assert.equal((await whole.answer).value, 'whole');
    });

    it('are fetched to the end for the next one, where pages ask again or an old copy is replaced', async () => {
      await assert.rejects(read('list', true), { code: 'not_ready' });
      const joined = asking();
      joined.leave();
      await tracker.answer('one');
      assert.equal((await read()).value, 'one');
      clock.at += 400_000;
      const patient = asking();
      patient.leave();
      assert.equal(signals.at(-1)?.aborted, false);
      await tracker.answer('two');
      assert.equal((await patient.answer).value, 'two');
    });

    it('before they ask cost the tracker nothing that others wait for', async () => {
      const left = new AbortController();
      left.abort();
      await assert.rejects(cache.read('1:x', 'list', tracker.ask, { signal: left.signal }), isGone);
      const reading = read();
      await tracker.fail(outage);
      await tracker.answer('one');
      assert.equal((await reading).value, 'one');
    });
  });

  it('cannot be changed by their readers', async () => {
    (await cache.read('1:x', 'object', () => Promise.resolve({ list: [1] }))).value.list.push(2);
    const again = await cache.read('1:x', 'object', () => Promise.resolve({ list: [0] }));
    assert.deepEqual(again.value, { list: [1] });
  });

  it('are bounded in bytes, whatever comes', async () => {
    for (let index = 0; index < 200; index += 1) {
      await cache.read('1:x', `large ${index}`, () => Promise.resolve('x'.repeat(index * 700)));
      assert.ok(cache.bytes <= SETTINGS.maxBytes, `${cache.bytes}`);
    }
    assert.ok(cache.bytes > SETTINGS.maxBytes / 4);
  });

  it('are apart per project, address, id and token, and their names hold none of these', () => {
    const settings: TrackingSettings = {
      projectId: 7,
      active: true,
      integrated: false,
      apiUrl: 'https://tracker.example/api/0/projects/acme/app/',
      projectName: null,
      organizationName: null,
      thirdpartyProjectId: '5',
      sealedToken: 'v1.encrypted',
      tracker: null,
    };
    const others = [
      { projectId: 8 },
      { apiUrl: 'https://t/' },
      { thirdpartyProjectId: '6' },
      { sealedToken: 'v1.other' },
    ];
    const scopes = [settings, ...others.map((patch) => ({ ...settings, ...patch }))].map((one) => cache.scopeOf(one));
    assert.equal(new Set(scopes).size, 5);
    assert.equal(cache.scopeOf({ ...settings, projectName: 'another' }), scopes[0]);
    assert.doesNotMatch(scopes.join(), /encrypted|tracker\.example/);
  });

  it('of a project are forgotten together', async () => {
    await first();
    await cache.read('11:x', 'list', () => Promise.resolve('other'));
    cache.forgetProject(1);
    const again = read();
    await tracker.answer('two');
    assert.equal((await again).value, 'two');
    assert.equal((await cache.read('11:x', 'list', tracker.ask)).value, 'other');
  });
});
