import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { startFakeTracker, type FakeTracker } from '../../support/fake-tracker/fake-tracker.ts';
import { TRACKER_TOKEN } from '../../support/fake-tracker/linked-world.ts';
import { SQLITE } from '../../support/test-stores.ts';

describe('projects.json', () => {
  let app: RunningApp;
  let tracker: FakeTracker;
  let project: Project;
  let maintainer: Person;
  let path: string;

  before(async () => {
    app = await startApp(SQLITE);
    tracker = await startFakeTracker('Sentry 21.4');
    tracker.world.addProject('acme', 'shop', '11');
    tracker.world.addToken(TRACKER_TOKEN);
  });
  after(async () => {
    await app.close();
    await tracker.close();
  });
  beforeEach(async () => {
    project = await givenProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    path = `/${project.path}/-/error_tracking/projects`;
  });
  const ask = (apiHost: string, token: string) =>
    app.get(`${path}.json?${new URLSearchParams({ api_host: apiHost, token }).toString()}`, maintainer.token);
  const link = (patch: object = {}) =>
    app.store.saveSettings(project.id, {
      active: true,
      integrated: false,
      apiUrl: `${tracker.origin}/api/0/projects/acme/shop/`,
      thirdpartyProjectId: '11',
      sealedToken: app.trackers.cipher.encrypt(TRACKER_TOKEN, project.id),
      ...patch,
    });

  it('answers the projects, and advice, with the token in address, body or header', async () => {
    const answers = [
      await ask(tracker.origin, TRACKER_TOKEN),
      await app.ask('POST', path, {
        token: maintainer.token,
        body: { api_host: tracker.origin, token: TRACKER_TOKEN },
      }),
      await app.ask('GET', `${path}.json?api_host=${tracker.origin}`, {
        token: maintainer.token,
        headers: { 'X-Thirdparty-Token': TRACKER_TOKEN },
      }),
    ];
    for (const answer of answers) {
      assert.equal(answer.status, 200, answer.text);
      const { projects, advice } = answer.json();
      assert.deepEqual(projects, [
        {
          id: '11',
          name: projects[0].name,
          status: 'active',
          slug: 'shop',
          organization_name: projects[0].organization_name,
          organization_id: projects[0].organization_id,
          organization_slug: 'acme',
        },
      ]);
      assert.deepEqual(
        advice.map(({ code }: { code: string }) => code),
        ['tracker_outdated'],
      );
      assert.match(
        advice[0].message,
        /21\.4\.1 and earlier is deprecated and scheduled for removal in product release 17\.0/,
      );
    }
    assert.equal(await app.store.settings(project.id), null);
  });

  it('is not there while the Monitor feature is off', async () => {
    await app.store.updateProject(project.id, { monitorEnabled: false });
    const answer = await ask(tracker.origin, TRACKER_TOKEN);
    assert.deepEqual([answer.status, answer.text], [404, '']);
  });

  describe('refuses, in this order', () => {
    const rows: [apiHost: string, token: string, message: string][] = [
      ['', '', 'Api url is a required field, Token is a required field'],
      ['', 't', 'Api url is a required field'],
      ['https://tracker.example', '', 'Token is a required field'],
      ['https://tracker.example', '***', 'Token is a required field'],
      [
        'http://10.1.2.3',
        '',
        'Api url is blocked: Requests to the local network are not allowed, Token is a required field',
      ],
      ['http://[::1]', 't', 'Api url is blocked: Requests to localhost are not allowed'],
      ['gopher://tracker.example', 't', 'Api url is blocked: Only allowed schemes are http, https'],
      [`https://tracker.example/${'x'.repeat(255)}`, 't', 'Api url is too long (maximum is 255 characters)'],
      ['https://tracker.example', 'two words', 'Token is invalid'],
      ['nonsense', 't', 'Api url is blocked: Only allowed schemes are http, https'],
      ['https://', 't', 'Api url is blocked: Hostname or IP address invalid'],
      ['https://a b', 't', 'Api url is blocked: URI is invalid'],
    ];
    for (const [apiHost, token, message] of rows) {
      it(`${apiHost.slice(0, 30)} ${token}: ${message}`, async () => {
        const answer = await ask(apiHost, token);
        assert.deepEqual([answer.status, answer.json().message], [400, message]);
      });
    }

    it('texts that are none', async () => {
      const bodies: [body: object, message: string][] = [
        [{ api_host: { a: 1 }, token: 't' }, 'Api url is invalid'],
        [{ api_host: ['https://tracker.example'], token: ['t'] }, 'Api url is invalid, Token is invalid'],
      ];
      for (const [body, message] of bodies) {
        const answer = await app.ask('POST', path, { token: maintainer.token, body });
        assert.deepEqual([answer.status, answer.json().message], [400, message]);
      }
    });

    const fields: [apiHost: string, token: string, advice: object[]][] = [
      [
        'nonsense',
        't',
        [{ code: 'address_invalid', field: 'api_host', message: 'The URL must start with https:// or http://.' }],
      ],
      [
        'ftp://tracker.example',
        't',
        [{ code: 'address_invalid', field: 'api_host', message: 'The URL must start with https:// or http://.' }],
      ],
      [
        'https://key:secret@tracker.example',
        't',
        [
          {
            code: 'address_invalid',
            field: 'api_host',
            message: 'Remove the user name and password from the URL.',
          },
        ],
      ],
      [
        'http://[::1',
        't',
        [
          {
            code: 'address_invalid',
            field: 'api_host',
            message: 'Correct the URL. It must look like https://tracker.example.com.',
          },
        ],
      ],
      [
        '',
        '',
        [
          {
            code: 'address_missing',
            field: 'api_host',
            message: 'Enter the URL of the tracker, such as https://tracker.example.com.',
          },
          {
            code: 'token_missing',
            field: 'token',
            message: 'Enter the auth token. A stored token is only sent to the tracker it was saved for.',
          },
        ],
      ],
      [
        'https://tracker.example',
        'two words',
        [
          {
            code: 'token_invalid',
            field: 'token',
            message: 'The token contains spaces or characters that are not valid in a token. Copy it again.',
          },
        ],
      ],
    ];
    for (const [apiHost, token, advice] of fields) {
      it(`${apiHost} ${token}, with the reason at the field it is about`, async () => {
        assert.deepEqual((await ask(apiHost, token)).json().advice, advice);
      });
    }

    it('with what to do about a blocked address', async () => {
      const { advice } = (await ask('http://10.1.2.3:9000', 't')).json();
      assert.equal(advice[0].code, 'address_blocked');
      assert.match(advice[0].message, /ERRGATE_OUTBOUND_ALLOW=10\.1\.2\.3:9000/);
    });

    for (const host of ['169.254.169.254', '2852039166', '[::ffff:a9fe:a9fe]', 'metadata.google.internal']) {
      it(`the metadata service ${host} without advice to allow it, which would not help`, async () => {
        const { advice } = (await ask(`http://${host}`, 't')).json();
        assert.equal(advice[0].code, 'address_blocked');
        assert.doesNotMatch(advice[0].message, /ERRGATE_OUTBOUND_ALLOW/);
      });
    }
  });

  it('uses the stored token behind the mask for the same tracker only', async () => {
    await link();
    assert.equal((await ask(tracker.origin, '************')).status, 200);
    assert.equal((await ask(`${tracker.origin}/api/0/`, '*')).status, 200);
    for (const other of [
      tracker.origin.replace('127.0.0.1', '127.0.0.2'),
      `${tracker.origin}/sub`,
      'http://127.0.0.1:9',
    ]) {
      const answer = await ask(other, '************');
      assert.equal(answer.status, 400);
      assert.match(answer.json().message, /Token is a required field/);
    }
  });

  it('says whether the linked project was renamed or deleted', async () => {
    const codes = async () => (await ask(tracker.origin, '*')).json().advice.map(({ code }: { code: string }) => code);
    await link({ apiUrl: `${tracker.origin}/api/0/projects/acme/former/` });
    assert.ok((await codes()).includes('project_renamed'));
    await link({ apiUrl: `${tracker.origin}/api/0/projects/acme/former/`, thirdpartyProjectId: '99' });
    assert.ok((await codes()).includes('project_missing'));
    await link();
    assert.deepEqual(await codes(), ['tracker_outdated']);
  });

  it('recognises tokens that are made for uploads', async () => {
    const { message, advice } = (await ask(tracker.origin, 'sntrys_eyJ_x')).json();
    assert.match(message, /^Third-party response status code: 40[13]$/);
    assert.ok(advice.some(({ code }: { code: string }) => code === 'organization_token'));
  });
});
