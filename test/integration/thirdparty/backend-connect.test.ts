import assert from 'node:assert/strict';
import type { TrackerSetup } from '../../../src/domain/ports/tracker-setup.ts';
import { createTrackerSetup } from '../../../src/thirdparty/tracker-setup.ts';
import { createUrlGuard, type UrlGuardOptions } from '../../../src/thirdparty/guard/url-guard.ts';
import { TrackerClient } from '../../../src/thirdparty/http/client.ts';
import { faults, type Fault } from '../../support/fake-tracker/faults.ts';
import {
  startLinkedWorld,
  TRACKER_TOKEN,
  type LinkedWorld,
  type LinkedWorldOptions,
} from '../../support/fake-tracker/linked-world.ts';
import { PERSONALITY_NAMES, type PersonalityName } from '../../support/fake-tracker/personality.ts';

describe('Connect and the four trackers', () => {
  let world: LinkedWorld | undefined;
  let setup: TrackerSetup;
  async function start(name: PersonalityName, options: LinkedWorldOptions = {}): Promise<LinkedWorld> {
    const started = await startLinkedWorld(name, options);
    setup = createTrackerSetup({
      client: started.client,
      guard: createUrlGuard({ allow: '127.0.0.1' }),
      cipher: { encrypt: (token) => token, decrypt: () => TRACKER_TOKEN, isCurrent: () => true },
      cache: { forgetProject: () => undefined, scopeOf: () => '' },
    });
    world = started;
    return started;
  }
  const connect = ({ tracker }: LinkedWorld, token = TRACKER_TOKEN) =>
    setup.connect(1, null, { apiHost: tracker.origin, token });
  afterEach(async () => {
    const ended = world;
    world = undefined;
    await ended?.close();
    ended?.tracker.assertClean();
  });

  for (const name of PERSONALITY_NAMES) {
    it(`lists the projects of a ${name}`, async () => {
      const started = await start(name);
      const { projects, refusal } = await connect(started);
      assert.equal(refusal, null);
      assert.deepEqual(
        projects?.map(({ organizationSlug, slug, id }) => `${organizationSlug}/${slug} ${id ?? ''}`).sort(),
        [started.other, started.shop, started.stranger].map(
          (each) => `${each.organization.slug}/${each.slug} ${each.id}`,
        ),
      );
    });

    it(`lists all pages of a ${name}`, async () => {
      const started = await start(name);
      for (let index = 0; index < 250; index += 1)
        started.tracker.world.addProject('acme', `more-${index}`, `9${index}`);
      const { projects } = await connect(started);
      assert.equal(projects?.length, 253);
      assert.equal(new Set(projects.map(({ id }) => id)).size, 253);
    });

    it(`says that a ${name} refuses the token`, async () => {
      const started = await start(name, { brownout: false });
      const { projects, refusal, advice } = await connect(started, 'wrong'.repeat(8));
      assert.deepEqual([projects, refusal], [null, 'Third-party response status code: 401']);
      assert.ok(advice.some(({ code }) => code === 'token_refused'));
      assert.ok(!JSON.stringify(advice).includes('wrongwrong'));
    });

    it(`says which scopes a token of a ${name} lacks`, async () => {
      const started = await start(name, { brownout: false });
      const text = 'b'.repeat(64);
      started.tracker.world.addToken(text, ['project:read', 'event:read']);
      const { projects, advice } = await connect(started, text);
      assert.equal(projects?.length, 3);
      const lacking = advice.find(({ code }) => code === 'scope_missing');
      // One tracker does not tell scopes.
      assert.equal(lacking === undefined, name === 'Urgentry');
      if (lacking !== undefined) assert.match(lacking.message, /event:write/);
    });
  }

  it('uses another route during a brownout, and says so', async () => {
    const started = await start('Sentry 26', { brownout: true });
    assert.equal((await connect(started)).projects?.length, 3);
    const text = 'c'.repeat(64);
    started.tracker.world.addToken(text, ['project:read', 'event:read', 'event:write']);
    const { refusal, advice } = await connect(started, text);
    assert.equal(refusal, 'Third-party response status code: 403');
    assert.match(advice.map(({ message }) => message).join(), /org:read/);
  });

  it('lists without an organization that is closed to the token, and says so', async () => {
    const started = await start('Sentry 26', { brownout: true });
    started.tracker.fail(
      faults.status(403, '{}', { 'content-type': 'application/json' }),
      /organizations\/acme\/projects/,
    );
    const { projects, refusal, advice } = await connect(started);
    assert.equal(refusal, null);
    assert.ok((projects?.length ?? 0) > 0 && !projects?.some(({ organizationSlug }) => organizationSlug === 'acme'));
    assert.match(advice.map(({ message }) => message).join(), /may not list the projects of: acme\./);
  });

  it('says that a Bugsink cannot be read, and nothing of scopes', async () => {
    const started = await start('Urgentry');
    started.tracker.fail(faults.json({ auth: { scopes: ['org:ci'] }, user: null, version: '0' }), /GET \/api\/0\/$/);
    started.tracker.fail(
      faults.status(404, '{}', { 'content-type': 'application/json' }),
      /\/(projects|organizations)\//,
    );
    const { projects, advice } = await connect(started);
    assert.equal(projects, null);
    assert.ok(
      advice.some(({ code, message }) => code === 'not_a_tracker' && /^This server is a Bugsink/.test(message)),
    );
    assert.ok(!advice.some(({ code }) => code === 'scope_missing'));
  });

  it('lists without projects that cannot be used, and names them', async () => {
    const started = await start('Urgentry');
    const good = { id: 'default-project', slug: 'default', name: 'Default', organization: 'urgentry-org' };
    const bad = { ...good, id: 'no id', slug: 'odd-one' };
    started.tracker.fail(faults.json([good, bad]), /projects\/$/);
    const { projects, advice } = await connect(started);
    assert.deepEqual(projects?.map(({ id }) => id), ['default-project']); // prettier-ignore
    const left = advice.find(({ code }) => code === 'projects_left_out');
    assert.match(left?.message ?? '', /odd-one .*the id "no id"/);
  });

  it('lists nothing and names the rows where no project can be used', async () => {
    const started = await start('Urgentry');
    started.tracker.fail(faults.json([{ id: 1 }]), /projects\/$/);
    const { projects, advice } = await connect(started);
    assert.deepEqual(projects, []);
    assert.match(advice.find(({ code }) => code === 'projects_left_out')?.message ?? '', /: 1 \(/);
  });

  it('takes null for an empty list, as one tracker means it', async () => {
    const started = await start('Urgentry');
    started.tracker.fail(faults.json(null), /projects\/$|projects\/\?/);
    assert.deepEqual((await connect(started)).projects, []);
  });

  describe('when a name leads where it must not', () => {
    const rows: [found: string, options: Partial<UrlGuardOptions>, refusal: string, advice: RegExp][] = [
      [
        '169.254.169.254',
        {},
        'URL is blocked: Requests to the link local network are not allowed',
        /metadata service of a cloud, which is always refused/,
      ],
      [
        '169.254.169.254',
        { allow: 'tracker.example' },
        'URL is blocked: Requests to cloud metadata services are not allowed',
        /metadata service of a cloud, which is always refused/,
      ],
      [
        '10.0.0.1',
        {},
        'URL is blocked: Requests to the local network are not allowed',
        /ask an operator to set ERRGATE_OUTBOUND_ALLOW=tracker\.example:9000/,
      ],
      [
        '9.9.9.9',
        { onlyAllowed: true },
        'URL is blocked: Requests to hosts and IP addresses not on the Allow List are denied',
        /only connects to hosts that its operator lists \(outbound\.onlyAllowed\); .* ERRGATE_OUTBOUND_ALLOW=tracker\.example:9000/,
      ],
    ];
    for (const [address, options, expected, help] of rows) {
      it(`${address} with ${JSON.stringify(options)}`, async () => {
        const guard = createUrlGuard({ allow: '', ...options, resolve: async () => [{ address, family: 4 }] });
        const client = new TrackerClient({ guard, clock: { now: () => Date.now() } });
        const cipher = { encrypt: (token: string) => token, decrypt: () => TRACKER_TOKEN, isCurrent: () => true };
        const cache = { forgetProject: () => undefined, scopeOf: () => '' };
        const answer = await createTrackerSetup({ client, guard, cipher, cache }).connect(1, null, {
          apiHost: 'http://tracker.example:9000',
          token: TRACKER_TOKEN,
        });
        client.close();
        assert.equal(answer.refusal, expected);
        assert.equal(answer.advice[0]?.code, 'address_blocked');
        assert.match(answer.advice[0].message, help);
        if (address === '169.254.169.254') {
          assert.doesNotMatch(JSON.stringify(answer.advice), /ERRGATE_OUTBOUND_ALLOW/);
        }
      });
    }
  });

  describe('while a tracker does not answer', () => {
    const ask = ({ client, tracker }: LinkedWorld, limits: { timeLimitMs?: number; probeLimitMs?: number }) =>
      createTrackerSetup({
        client,
        guard: createUrlGuard({ allow: '127.0.0.1' }),
        cipher: { encrypt: (token) => token, decrypt: () => TRACKER_TOKEN, isCurrent: () => true },
        cache: { forgetProject: () => undefined, scopeOf: () => '' },
        ...limits,
      }).connect(1, null, { apiHost: tracker.origin, token: TRACKER_TOKEN }, new AbortController().signal);

    it('says that it did not answer in time when the time is up', async () => {
      const started = await start('Sentry 21.4');
      started.tracker.fail(faults.hang());
      const { refusal, advice } = await ask(started, { timeLimitMs: 100, probeLimitMs: 50 });
      assert.equal(refusal, 'Connection to third-party timed out');
      assert.match(advice[0]?.message ?? '', /did not answer in time/);
    });

    it('does not wait long for optional requests', async () => {
      const started = await start('Sentry 21.4');
      started.tracker.fail(faults.hang(), /\/client-config\//);
      const { projects } = await ask(started, { probeLimitMs: 100 });
      assert.equal(projects?.length, 3);
    });
  });

  const broken: readonly [Fault, advice: string][] = [
    [faults.htmlLogin(), 'login_page'],
    [faults.redirect('https://login.example.test/'), 'login_page'],
    [faults.redirect('/auth/sign-in?next=%2Fapi'), 'login_page'],
    [faults.redirect('https://127.0.0.1/api/0/projects/'), 'moved'],
    [faults.status(401, '<h1>Sign in</h1>'), 'login_page'],
    [faults.status(403, '<h1>Sign in</h1>'), 'login_page'],
    [faults.status(401, '{}', { 'content-type': 'application/json' }), 'token_refused'],
    [faults.status(502), 'unreachable'],
    [faults.hang(), 'unreachable'],
    [faults.reset(), 'unreachable'],
    [faults.half(), 'unreachable'],
    [faults.json({ hello: 'world' }), 'not_a_tracker'],
    [faults.json([1, 2]), 'not_a_tracker'],
    [faults.json(7), 'not_a_tracker'],
    [faults.pleaseRetry(), 'limited'],
    [faults.gzipBomb(), ''],
    [faults.huge(), ''],
  ];
  for (const [fault, expected] of broken) {
    it(`helps with: ${fault.name} (${expected})`, async () => {
      const started = await start('Sentry 21.4', {
        client: { responseTimeoutMs: 200, totalTimeoutMs: 1500, retryDelayMs: 1, maxLimitWaitMs: 10 },
      });
      started.tracker.fail(fault);
      const { projects, refusal, advice } = await connect(started);
      assert.equal(projects, null);
      assert.ok(refusal !== null && refusal.length > 0);
      for (const { message } of advice) assert.match(message, /^[A-Z].*\.$/);
      const codes: readonly string[] = advice.map(({ code }) => code);
      if (expected !== '') assert.ok(codes.includes(expected), `${codes.join()}: ${refusal}`);
      assert.ok(!JSON.stringify({ refusal, advice }).includes(TRACKER_TOKEN));
    });
  }
});
