import assert from 'node:assert/strict';
import { createSendMail } from '../../../src/alerts/mail/send-mail.ts';
import type { AlertSender } from '../../../src/domain/ports/alert-sender.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { newWebhookSecret } from '../../../src/lib/standard-webhooks.ts';
import { createOutboundPost } from '../../../src/thirdparty/http/outbound-post.ts';
import { createUrlGuard } from '../../../src/thirdparty/guard/url-guard.ts';
import { testSender } from '../../support/alert-sender-world.ts';
import { AlertWorld } from '../../support/dispatch-world.ts';
import { answers, type Behaviour, FaultyReceivers } from '../../support/faulty-receivers.ts';
import { AUTHORITY, serverAt, startMailServer } from '../../support/mail-server.ts';
import { type OpenedStore, SQLITE } from '../../support/test-stores.ts';

const SECOND = 1000;
/** Seconds of the attempts after the first one, where no receiver asks for more. */
const [FIRST_DELAY, SECOND_DELAY] = [5, 30];
/** Seconds after which an attempt ends. */
const LIMIT = 30;

const onlyFirst =
  (fault: Behaviour, times = 1): Behaviour =>
  (res, attempt) =>
    attempt <= times ? fault(res, attempt) : answers.ok(res);

/** Receivers, with the seconds of their attempts from the first one. */
const RECEIVERS: Readonly<Record<string, { readonly does: Behaviour; readonly at: readonly number[] }>> = {
  ok: { does: answers.ok, at: [0] },
  empty: { does: answers.empty, at: [0] },
  limited: { does: onlyFirst((res) => answers.limited(res, '120')), at: [0, 120] },
  'limited for long': { does: onlyFirst((res) => answers.limited(res, '86400')), at: [0, 3600] },
  moved: { does: (res) => answers.redirect(res, '/target'), at: [0, FIRST_DELAY, FIRST_DELAY + SECOND_DELAY] },
  large: { does: (res) => answers.large(res, 200), at: [0] },
  'fails at length': { does: onlyFirst((res) => answers.large(res, 500)), at: [0, FIRST_DELAY] },
  closes: { does: onlyFirst(answers.closes, 2), at: [0, FIRST_DELAY, FIRST_DELAY + SECOND_DELAY] },
  'answers nothing': { does: onlyFirst(answers.nothing), at: [0, LIMIT + FIRST_DELAY] },
  // Answers the first request after 40 seconds, below.
  slow: { does: onlyFirst(answers.nothing), at: [0, LIMIT + FIRST_DELAY] },
};

/** Signals that end requests, by the clock of the test. */
class SimulatedLimits {
  readonly #waiting = new Set<{ readonly at: number; readonly end: AbortController }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  readonly after = (ms: number): AbortSignal => {
    const end = new AbortController();
    this.#waiting.add({ at: this.#now() + ms, end });
    return end.signal;
  };

  endDue(): void {
    for (const each of this.#waiting) {
      if (each.at > this.#now()) continue;
      this.#waiting.delete(each);
      each.end.abort();
    }
  }
}

describe('the dispatcher of alerts and receivers with faults', () => {
  let opened: OpenedStore;
  let world: AlertWorld;
  let receivers: FaultyReceivers;
  let limits: SimulatedLimits;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  /** Attempts that have no outcome yet. */
  let sending: number;
  let project: Project;

  beforeEach(async () => {
    opened = await SQLITE.open();
    world = new AlertWorld(opened.store);
    const behaviours = Object.entries(RECEIVERS).map(([name, { does }]) => [encodeURI(name), does] as const);
    receivers = new FaultyReceivers(Object.fromEntries(behaviours), () => world.now);
    await receivers.start();
    limits = new SimulatedLimits(() => world.now);
    mail = await startMailServer();
    sending = 0;
    const at = serverAt(mail.port);
    const real = testSender({
      post: createOutboundPost(createUrlGuard({ allow: '127.0.0.1' }), world.clock, LIMIT * SECOND, limits.after),
      mail: { server: at, send: createSendMail(at, { authorities: AUTHORITY }) },
    });
    const sender: AlertSender = {
      mail: real.mail,
      async send(...given) {
        sending += 1;
        try {
          return await real.send(...given);
        } finally {
          sending -= 1;
          receivers.onChange();
        }
      },
    };
    const secret = newWebhookSecret();
    world.dispatcher = world.makeDispatcher({ sender, open: ({ sealed }) => ({ url: sealed, secret }) });
    project = await world.project();
    for (const name of Object.keys(RECEIVERS)) {
      await world.channel(project, { name, sealed: receivers.urlOf(encodeURI(name)) });
    }
    await world.member(project);
  });
  afterEach(async () => {
    receivers.close();
    await mail.close();
    await opened.dispose();
  });

  const callsOf = (name: string) => receivers.of(encodeURI(name));

  /** Waits until every attempt has its outcome or is at a receiver that leaves it open. */
  async function quiet(): Promise<void> {
    for (;;) {
      await world.settled();
      if (sending === receivers.open.size) return;
      await new Promise<void>((resolve) => (receivers.onChange = resolve));
    }
  }

  async function pass(seconds: number, step = 1): Promise<void> {
    for (let second = 0; second < seconds; second += step) {
      world.now += step * SECOND;
      world.steady += step * SECOND;
      limits.endDue();
      await quiet();
      await world.turn();
      await quiet();
    }
  }

  it('sends to each as documented, and delays no receiver because of another', async () => {
    await world.happen(project, ['a']);
    await pass(31);
    const started = world.now;
    // The receivers that answer nothing hold two of the attempts.
    assert.equal(sending, 2);
    for (const name of Object.keys(RECEIVERS)) assert.equal(callsOf(name).length, 1, name);
    assert.equal(mail.mails.length, 1);
    const late = [...receivers.open];
    // What happens meanwhile reaches the others when their gap of two minutes ends.
    await pass(9);
    await world.happen(project, ['b']);
    await pass(31);
    assert.equal(receivers.open.size, 0, 'the attempts were ended after half a minute');
    // Too late: these connections were closed.
    for (const res of late) answers.ok(res);
    await pass(125 - 40);
    for (const name of ['ok', 'empty', 'large']) {
      const times = callsOf(name).map(({ at }) => (at - started) / SECOND);
      assert.equal(times[0], 0, name);
      assert.ok(times.length === 2 && times[1]! >= 119 && times[1]! <= 121, `${name}: ${times.join(', ')}`);
    }
    assert.equal(mail.mails.length, 2);
    await pass(3600, 5);
    for (const [name, { at: expected }] of Object.entries(RECEIVERS)) {
      const calls = callsOf(name);
      const [id] = calls.map(({ headers }) => headers['webhook-id']);
      const attempts = calls.filter(({ headers }) => headers['webhook-id'] === id);
      assert.deepEqual(
        attempts.map(({ at }) => Math.round((at - started) / SECOND)),
        expected,
        name,
      );
      assert.equal(new Set(attempts.map(({ body }) => body)).size, 1, name);
    }
    assert.deepEqual(receivers.of('target'), []);
    const deliveries = await world.store.listDeliveries({
      projectId: project.id,
      destination: null,
      limit: 100,
      after: null,
    });
    const first = deliveries.filter(({ message }) => message.createdAt <= started);
    const told = first
      .filter(({ destination }) => destination.startsWith('channel:'))
      .map(({ name, state, attempts, answer }) => `${name}: ${state} after ${attempts}: ${answer.slice(0, 31)}`);
    assert.deepEqual(told.sort(), [
      'answers nothing: sent after 2: 200 OK: ok',
      'closes: sent after 3: 200 OK: ok',
      'empty: sent after 1: 204 No Content',
      'fails at length: sent after 2: 200 OK: ok',
      `large: sent after 1: 200 OK: ${'x'.repeat(23)}`,
      'limited for long: sent after 2: 200 OK: ok',
      'limited: sent after 2: 200 OK: ok',
      'moved: failed after 3: 302: redirects are not followed',
      'ok: sent after 1: 200 OK: ok',
      'slow: sent after 2: 200 OK: ok',
    ]);
  });
});
