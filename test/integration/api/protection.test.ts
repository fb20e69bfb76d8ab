import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type Answer, type RunningApp } from '../../support/app.ts';
import { givenMember, givenTrackedProject } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const NO_LIMIT = { events: null, sessions: null };
const CONFIGURED = {
  scrubbing: { enabled: true, scrub_ips: false, sensitive_fields: ['iban'], safe_fields: [] },
  limits: {
    key: { events: { per_minute: 60, burst: 120 }, sessions: null },
    project: NO_LIMIT,
    instance: NO_LIMIT,
    spike_guard: null,
  },
};
const NOTHING = {
  sensitive_fields: [],
  scrub_ips: false,
  key_events_per_minute: null,
  project_events_per_minute: null,
};

describeOnStores('protection over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let token: string;
  let saves: number;

  before(async () => {
    app = await startApp(kind);
    app.deps.protectionSaved = async () => {
      saves += 1;
    };
  });
  after(() => app.close());
  beforeEach(async () => {
    saves = 0;
    project = await givenTrackedProject(app.store);
    ({ token } = await givenMember(app.store, project, 'maintainer'));
  });

  const path = () => `/api/v4/projects/${project.id}/error_tracking/protection`;
  const put = (body: unknown, as = token): Promise<Answer> => app.ask('PUT', path(), { token: as, body });
  const own = async () => (await app.get(path(), token)).json().own;

  it('is the configured one until the project adds to it', async () => {
    const answer = await app.get(path(), token);
    assert.equal(answer.status, 200);
    assert.deepEqual(answer.json(), { ...CONFIGURED, own: NOTHING, configured: CONFIGURED });
  });

  it('is the stricter of both, and shows both sides', async () => {
    const given = {
      sensitive_fields: ['pin', 'IBAN', ' Pin ', 'PIN'],
      scrub_ips: true,
      key_events_per_minute: 100,
      project_events_per_minute: 30,
    };
    const answer = await put(given);
    assert.equal(answer.status, 200);
    const kept = { ...given, sensitive_fields: ['pin', 'IBAN'] };
    const inForce = {
      scrubbing: { enabled: true, scrub_ips: true, sensitive_fields: ['iban', 'pin'], safe_fields: [] },
      limits: {
        ...CONFIGURED.limits,
        key: { events: { per_minute: 60, burst: 100 }, sessions: null },
        project: { events: { per_minute: 30, burst: 30 }, sessions: null },
      },
    };
    assert.deepEqual(answer.json(), { ...inForce, own: kept, configured: CONFIGURED });
    assert.deepEqual((await app.get(path(), token)).json(), answer.json());
    assert.equal(saves, 1);
  });

  it('keeps what is left out, and resets what is null, false or empty', async () => {
    await put({ sensitive_fields: ['pin'], scrub_ips: true, key_events_per_minute: 5, project_events_per_minute: 9 });
    assert.deepEqual((await put({ key_events_per_minute: null })).json().own, {
      sensitive_fields: ['pin'],
      scrub_ips: true,
      key_events_per_minute: null,
      project_events_per_minute: 9,
    });
    await put({});
    assert.equal((await own()).project_events_per_minute, 9);
    const form = new URLSearchParams({ sensitive_fields: 'a, b', project_events_per_minute: '', scrub_ips: '0' });
    assert.equal((await put(form)).status, 200);
    assert.deepEqual(await own(), { ...NOTHING, sensitive_fields: ['a', 'b'] });
    await put({ sensitive_fields: [] });
    assert.equal(await app.store.protection(project.id), null);
  });

  it('says what is wrong with a value, and changes nothing', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `f${index}`);
    const seen = 'an entry of Fields to hide must be a name of visible characters without commas';
    for (const [body, error] of [
      [{ sensitive_fields: many }, 'Fields to hide has too many entries (maximum is 100)'],
      [{ sensitive_fields: ['x'.repeat(101)] }, 'an entry of Fields to hide is too long (maximum is 100 characters)'],
      [{ sensitive_fields: ['a\nb'] }, seen],
      [{ sensitive_fields: ['a\u200bb'] }, seen],
      [{ sensitive_fields: ['a,b'] }, seen],
      [{ sensitive_fields: ['  '] }, seen],
      [{ sensitive_fields: [7] }, 'Fields to hide is invalid'],
      [{ scrub_ips: 'perhaps' }, 'scrub_ips is invalid'],
      [{ key_events_per_minute: 0 }, 'Events of each key per minute must be at least 1'],
      [{ key_events_per_minute: 1.5 }, 'Events of each key per minute is invalid'],
      [{ project_events_per_minute: 1e9 + 1 }, 'Events of this project per minute must be at most 1000000000'],
      [{ project_events_per_minute: 'many' }, 'Events of this project per minute is invalid'],
    ] as const) {
      const answer = await put({ scrub_ips: true, ...body });
      assert.deepEqual([answer.status, answer.json()], [400, { error }], JSON.stringify(body).slice(0, 80));
    }
    assert.deepEqual(await own(), NOTHING);
    assert.equal(saves, 0);
  });

  it('accepts values up to the limits', async () => {
    const names = Array.from({ length: 100 }, (_, index) => `${index}`.padStart(100, 'ü'));
    const given = { sensitive_fields: names, key_events_per_minute: 1e9, project_events_per_minute: 1 };
    assert.equal((await put(given)).status, 200);
    assert.deepEqual(await own(), { ...NOTHING, ...given });
  });

  it('is for maintainers only', async () => {
    const developer = await givenMember(app.store, project, 'developer');
    const refused = await put({ scrub_ips: true }, developer.token);
    assert.deepEqual([refused.status, refused.json()], [403, { message: '403 Forbidden' }]);
    assert.equal((await app.get(path(), developer.token)).status, 403);
    assert.equal(await app.store.protection(project.id), null);
  });
});
