import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  clockSet,
  gapEnd,
  newConversation,
  readyAt,
  takenOver,
  withFactsMessage,
  withMessage,
  withoutMessage,
  withWaiting,
} from '../../../../src/alerts/sending/pace.ts';
import type { Conversation } from '../../../../src/domain/alerts/alert-delivery.ts';
import type { AlertMessage } from '../../../../src/domain/alerts/alert-message.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2026, 0, 5, 12);

const MESSAGE: AlertMessage = {
  id: 'msg_1',
  kind: 'facts',
  createdAt: 0,
  since: 0,
  until: 0,
  parts: [],
  note: '',
};

/** What happens next, after a pause in milliseconds. */
type Step =
  | { readonly kind: 'fact'; readonly after: number }
  /** The clock is set while the dispatcher runs. */
  | { readonly kind: 'set'; readonly after: number; readonly by: number }
  /** Another process takes over after a time; its clock differs. */
  | { readonly kind: 'restart'; readonly after: number; readonly downMs: number; readonly by: number };

/**
 * One destination in simulated time. `time` is what has passed as far as any gateway can know: a clock that is set
 * forward while none runs counts as time.
 */
class World {
  time = 0;
  /** Difference of the clock to `time`. */
  ahead = START;
  /** Times at which messages arrived. */
  readonly arrivals: number[] = [];
  /** Time until which a message is on its way. */
  #answerAt: number | null = null;
  #conversation: Conversation = newConversation('channel:1', 0);
  #seq = 0;
  readonly #latency: () => number;

  constructor(latency: () => number) {
    this.#latency = latency;
  }

  get #clock(): number {
    return this.time + this.ahead;
  }

  /** Lets time pass; messages close and arrive when they are due. */
  pass(ms: number): void {
    const until = this.time + ms;
    for (;;) {
      const ready = readyAt(this.#conversation, this.#clock);
      const next = this.#answerAt ?? (ready === null ? Infinity : Math.max(this.time, ready - this.ahead));
      if (next > until) break;
      this.time = next;
      if (this.#answerAt !== null) this.#arrive();
      else this.#close();
    }
    this.time = until;
  }

  #close(): void {
    this.#conversation = withFactsMessage(this.#conversation, { message: MESSAGE, facts: [] }, this.#seq, this.#clock);
    this.#answerAt = this.time + this.#latency();
  }

  #arrive(): void {
    this.#answerAt = null;
    this.arrivals.push(this.time);
    this.#conversation = withoutMessage(this.#conversation, this.#clock);
  }

  fact(): void {
    this.#seq += 1;
    this.#conversation = withWaiting(this.#conversation, { first: this.#seq, notBefore: null }, this.#clock);
  }

  set(by: number): void {
    this.ahead += by;
    this.#conversation = clockSet(this.#conversation, by);
  }

  /** The message on its way is repeated by the successor with the same id, which counts once. */
  restart(downMs: number, by: number): void {
    this.time += downMs + Math.max(0, by);
    this.ahead += Math.min(0, by);
    this.#conversation = takenOver(this.#conversation, this.#clock);
    if (this.#answerAt !== null) this.#answerAt = this.time + this.#latency();
  }

  do(step: Step): void {
    this.pass(step.after);
    if (step.kind === 'fact') this.fact();
    else if (step.kind === 'set') this.set(step.by);
    else this.restart(step.downMs, step.by);
  }
}

/** Fails when more than 5 + T messages arrived in any T hours. */
function assertBound(arrivals: readonly number[]): void {
  arrivals.forEach((from, first) => {
    for (let last = first; last < arrivals.length; last += 1) {
      const hours = ((arrivals[last] ?? 0) - from) / HOUR;
      const count = last - first + 1;
      assert.ok(count <= 5 + Math.floor(hours), `${count} messages in ${hours} hours: ${arrivals.join(', ')}`);
    }
  });
}

function arrivalsOf(steps: readonly Step[], latency: () => number = () => 0): number[] {
  const world = new World(latency);
  for (const step of steps) world.do(step);
  world.pass(3 * HOUR);
  return world.arrivals;
}

const every = (period: number, forMs: number): Step[] =>
  Array.from({ length: Math.floor(forMs / period) }, () => ({ kind: 'fact', after: period }));

/** Pauses of an adversary: bursts, the ends of gathering and of gaps, full hours, and just before or after them. */
const pause = fc.oneof(
  fc.integer({ min: 0, max: 40 * SECOND }),
  fc.integer({ min: 0, max: 3 * HOUR }),
  fc
    .tuple(
      fc.constantFrom(0, 0.5, 1.5, 2, 5, 15, 30, 60, 61, 120, 180, 300),
      fc.constantFrom(-1, 0, 1, -30_000, 30_000),
    )
    .map(([minutes, off]) => Math.max(0, minutes * MINUTE + off)),
);
const jump = fc.integer({ min: -30 * HOUR, max: 30 * HOUR });
/** Errors that go on for up to two hours. */
const drip = fc
  .tuple(fc.integer({ min: 20 * SECOND, max: 3 * MINUTE }), fc.integer({ min: MINUTE, max: 2 * HOUR }))
  .map(([period, forMs]) => every(period, forMs));
const step: fc.Arbitrary<Step | Step[]> = fc.oneof(
  { weight: 8, arbitrary: pause.map((after): Step => ({ kind: 'fact', after })) },
  { weight: 3, arbitrary: drip },
  { weight: 1, arbitrary: fc.tuple(pause, jump).map(([after, by]): Step => ({ kind: 'set', after, by })) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(pause, pause, jump)
      .map(([after, downMs, by]): Step => ({ kind: 'restart', after, downMs, by })),
  },
);

describe('pace of messages to one destination', () => {
  it('sends at most 5 + T messages in T hours, whatever happens when', () => {
    const latency = fc.infiniteStream(fc.oneof(fc.constant(0), pause));
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), latency, (steps, latencies) => {
        assertBound(arrivalsOf(steps.flat(), () => latencies.next().value as number));
      }),
      { numRuns: 2000 },
    );
  });

  it('sends at most 5 + T messages at every steady rate', () => {
    for (let period = SECOND; period < 3 * HOUR; period = Math.ceil(period * 1.13)) {
      assertBound(arrivalsOf(every(period, 26 * HOUR)));
    }
  });

  it('sends 28 messages in a day of one new error a second, none of which waits longer than an hour', () => {
    const arrivals = arrivalsOf(every(SECOND, 24 * HOUR)).filter((at) => at <= 24 * HOUR);
    assertBound(arrivals);
    assert.equal(arrivals.length, 28, 'at most 29');
    assert.equal(arrivals.filter((at) => at - (arrivals[0] ?? 0) < HOUR).length, 5, 'the bound is reached');
    for (const [index, at] of arrivals.entries()) assert.ok(at - (arrivals[index - 1] ?? 0) <= HOUR);
    assert.deepEqual(
      arrivals.slice(0, 6).map((at) => at / MINUTE),
      [1.5 + 1 / 60, 3.5 + 1 / 60, 8.5 + 1 / 60, 23.5 + 1 / 60, 53.5 + 1 / 60, 113.5 + 1 / 60],
    );
  });

  it('sends a lone fact after 30 seconds, and facts that keep coming after 90', () => {
    assert.deepEqual(arrivalsOf([{ kind: 'fact', after: 0 }]), [30 * SECOND]);
    assert.deepEqual(arrivalsOf(every(29 * SECOND, 3 * MINUTE)).slice(0, 1), [(29 + 90) * SECOND]);
  });

  it('sends each of facts that are 90 minutes apart after 30 seconds', () => {
    const arrivals = arrivalsOf(every(90 * MINUTE, 24 * HOUR));
    assert.equal(arrivals.length, 16);
    arrivals.forEach((at, index) => assert.equal(at, (index + 1) * 90 * MINUTE + 30 * SECOND));
  });

  it('lets no clock that was set hold messages back', () => {
    const world = new World(() => 0);
    world.fact();
    world.pass(MINUTE);
    world.set(-365 * 24 * HOUR);
    world.fact();
    world.pass(3 * MINUTE);
    assert.equal(world.arrivals.length, 2);
    world.restart(0, -365 * 24 * HOUR);
    world.fact();
    world.pass(6 * MINUTE);
    assert.equal(world.arrivals.length, 3);
  });

  it('holds facts until the earliest time at which one of them may be sent', () => {
    let conversation = withWaiting(newConversation('user:1', 0), { first: 5, notBefore: START + 8 * HOUR }, START);
    assert.equal(conversation.cursor, 4);
    assert.equal(readyAt(conversation, START), START + 8 * HOUR);
    conversation = withWaiting(conversation, { first: 6, notBefore: START + HOUR }, START);
    assert.equal(readyAt(conversation, START), START + HOUR);
    conversation = withWaiting(conversation, { first: 7, notBefore: null }, START);
    assert.equal(readyAt(conversation, START), START + 30 * SECOND);
    assert.equal(conversation.cursor, 4);
  });

  it('writes nothing for facts that join a message which is gathered already', () => {
    const waiting = withWaiting(newConversation('user:1', 0), { first: 5, notBefore: null }, START);
    const later = withWaiting(waiting, { first: 6, notBefore: null }, START + 89 * SECOND);
    assert.notEqual(later, waiting);
    assert.equal(withWaiting(later, { first: 7, notBefore: null }, START + 90 * SECOND), later);
  });

  it('counts the gap from the arrival of a message that was late', () => {
    const closed = withMessage(newConversation('user:1', 0), MESSAGE, START);
    const arrived = withoutMessage(closed, START + 8 * HOUR);
    assert.equal(gapEnd(arrived, START + 8 * HOUR), START + 8 * HOUR + 2 * MINUTE);
  });
});
