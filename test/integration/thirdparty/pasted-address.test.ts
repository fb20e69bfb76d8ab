import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { faults } from '../../support/fake-tracker/faults.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

interface AdviceItem {
  readonly code: string;
  readonly message: string;
  readonly field?: string;
  readonly value?: string;
}

/** What is no API of a tracker: a page of it. */
const PAGES = /^GET (?!\/api\/0\/|\/api\/client-config\/|\/api\/settings\/)/;

describe('what people paste as the address of a tracker', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let maintainer: Person;

  before(async () => {
    app = await startApp(SQLITE);
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
  });
  after(() => app.close());
  beforeEach(async () => {
    tracker = await startFakeTracker('GlitchTip 5.2', { lessons: 50 });
    tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
    tracker.fail(faults.htmlLogin(), PAGES);
  });
  afterEach(() => tracker.close());

  const connect = async (apiHost: string, token = TRACKER_TOKEN) => {
    const answer = await app.ask('POST', `/${project.path}/-/error_tracking/projects.json`, {
      token: maintainer.token,
      body: { api_host: apiHost, token },
    });
    return {
      status: answer.status,
      ...(answer.json() as { projects?: object[]; message?: string; advice: AdviceItem[] }),
    };
  };
  const corrected = (advice: readonly AdviceItem[]) => advice.find(({ code }) => code === 'address_corrected');

  for (const path of [
    '/organizations/acme/issues/5/?project=2',
    '/acme/issues/5',
    '/settings/profile/auth-tokens#new',
    '/acme/shop/',
    '/api/0/projects/acme/shop/',
    '/login',
  ]) {
    it(`a page, ${path}: its tracker is asked, and named`, async () => {
      const { status, projects, advice } = await connect(tracker.origin + path);
      assert.deepEqual([status, projects?.length], [200, 1]);
      assert.deepEqual([corrected(advice)?.field, corrected(advice)?.value], ['api_host', tracker.origin]);
      assert.ok(corrected(advice)?.message.includes(tracker.origin));
    });
  }

  it('a DSN: its host is asked, and its key appears nowhere', async () => {
    const key = 'd3adbeefd3adbeefd3adbeefd3adbeef';
    const answer = await connect(`${tracker.origin.replace('//', `//${key}@`)}/2`);
    assert.deepEqual([answer.status, corrected(answer.advice)?.value], [200, tracker.origin]);
    assert.ok(!JSON.stringify(answer).includes(key) && !JSON.stringify(app.log).includes(key));
  });

  it('the address itself: nothing is corrected', async () => {
    for (const address of [tracker.origin, ` ${tracker.origin}/ `]) {
      const { status, advice } = await connect(address);
      assert.deepEqual([status, corrected(advice)], [200, undefined]);
    }
  });

  for (const scheme of ['', 'https://']) {
    it(`${scheme}host where no TLS is spoken: the http address is offered, and nothing is sent there`, async () => {
      const { host } = new URL(tracker.origin);
      const asked = tracker.requests.length;
      const { status, advice } = await connect(scheme + host);
      assert.deepEqual([status, advice.length, advice[0]?.code, advice[0]?.field], [400, 1, 'unreachable', 'api_host']);
      assert.match(advice[0]?.message ?? '', /does not speak TLS at this port .*http:\/\/ instead of https:\/\//);
      assert.equal(advice[0]?.value, tracker.origin);
      assert.equal(tracker.requests.length, asked, 'no token over http');
    });
  }

  it('the guard holds for what results', async () => {
    for (const address of ['10.1.2.3:9000', 'http://key@10.1.2.3:9000/4', 'http://10.1.2.3:9000/organizations/acme/']) {
      const { status, message, advice } = await connect(address);
      assert.equal(status, 400);
      assert.equal(message, 'Api url is blocked: Requests to the local network are not allowed');
      assert.deepEqual([advice[0]?.code, advice[0]?.field], ['address_blocked', 'api_host']);
    }
  });

  it('a page of something else: the first answer is reported, and nothing is corrected', async () => {
    tracker.heal();
    tracker.fail(faults.status(404));
    const { status, message, advice } = await connect(`${tracker.origin}/wiki/page`);
    assert.deepEqual([status, message], [400, 'Third-party response status code: 404']);
    assert.deepEqual(
      advice.map(({ code }) => code),
      ['not_a_tracker'],
    );
  });

  it('what has no API for reading: scopes are not what is missing', async () => {
    tracker.heal();
    // As Bugsink 2.6 answers: a root that names no scope, and nothing else.
    tracker.fail(faults.status(404), /GET \/api\/(0\/.|settings|client)/);
    tracker.fail(faults.json({ version: '0', auth: { scopes: [] }, user: null }), /GET \/api\/0\/$/);
    const { advice } = await connect(tracker.origin);
    assert.deepEqual(
      advice.map(({ code }) => code),
      ['not_a_tracker'],
    );
    assert.match(advice[0]?.message ?? '', /Bugsink/);
  });
});
