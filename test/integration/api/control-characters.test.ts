import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenPerson, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

interface Field {
  readonly name: string;
  readonly method: 'POST' | 'PUT' | 'PATCH';
  /** Below `/api/v4`; `:id` is the project. */
  readonly path: string;
  /** A value that is taken. */
  readonly good: string;
  readonly body: (value: string) => object;
}

const TRACKING = '/projects/:id/error_tracking';
const repository = { url_template: 'https://git.example/{path}', default_ref: 'main', ref_template: 'v{version}' };
const links = (change: object, tracker: object | null = null): object => ({
  repository: { ...repository, ...change },
  issue_tracker: tracker,
});
const gitlab = {
  kind: 'gitlab',
  new_issue_url: '',
  api_url: 'https://git.example',
  project: 'shop/web',
  token: 'token',
};
const tracker = {
  active: false,
  api_host: 'https://tracker.example',
  token: 'a-token',
  organization_slug: 'acme',
  project_slug: 'web',
};
const field = (
  name: string,
  method: Field['method'],
  path: string,
  good: string,
  body: (value: string) => object,
): Field => ({ name, method, path, good, body });
const ofLink = (name: string, good: string): Field =>
  field(`links ${name}`, 'PUT', `${TRACKING}/links`, good, (value) => links({ [name]: value }));
const ofTracker = (name: string, good: string): Field =>
  field(`issue tracker ${name}`, 'PUT', `${TRACKING}/links`, good, (value) => links({}, { ...gitlab, [name]: value }));
const ofSettings = (name: string, good: string): Field =>
  field(`settings ${name}`, 'PUT', `${TRACKING}/settings/thirdparty`, good, (value) => ({ ...tracker, [name]: value }));
const ofChannel = (type: string, good: string): Field =>
  field(`channel ${type} url`, 'POST', `${TRACKING}/alert_channels`, good, (url) => ({
    type,
    name: 'Ops',
    url,
    ...(type === 'gitlab' ? { secret: 'authorization-key' } : {}),
  }));

/** Every address, name and template that a person enters. Texts of several lines, as notes, are none of them. */
const FIELDS: readonly Field[] = [
  ofLink('url_template', 'https://git.example/b/{path}'),
  ofLink('default_ref', 'main'),
  ofLink('ref_template', 'v{version}'),
  ...['from', 'to'].map((end) =>
    field(`links prefixes ${end}`, 'PUT', `${TRACKING}/links`, 'src/a', (value) =>
      links({ prefixes: [{ from: 'a', to: 'b', [end]: value }] }),
    ),
  ),
  ofTracker('new_issue_url', 'https://git.example/new?t={title}'),
  ofTracker('api_url', 'https://git.example/sub'),
  ofTracker('project', 'shop/web'),
  ofTracker('token', 'to-ken'),
  ofSettings('api_host', 'https://tracker.example/sub'),
  ofSettings('token', 'a-token'),
  ofSettings('organization_slug', 'acme'),
  ofSettings('project_slug', 'web'),
  ofSettings('organization_name', 'Acme'),
  ofSettings('project_name', 'Web'),
  ofSettings('thirdparty_project_id', '12'),
  ...['webhook', 'slack', 'mattermost', 'teams', 'discord', 'alertmanager', 'gitlab'].map((type) =>
    ofChannel(type, 'https://hooks.example/in/it'),
  ),
  field('channel name', 'POST', `${TRACKING}/alert_channels`, 'Ops', (name) => ({
    type: 'webhook',
    name,
    url: 'https://hooks.example/in',
  })),
  field('forwarding dsn', 'PUT', `${TRACKING}/forwarding`, 'https://key@tracker.example/sub/7', (dsn) => ({ dsn })),
  field('forwarding until', 'PUT', `${TRACKING}/forwarding`, '2999-01-31T00:00:00Z', (until) => ({
    dsn: 'https://key@tracker.example/7',
    until,
  })),
  field('project name', 'PUT', '/projects/:id', 'Shop', (name) => ({ name })),
  field('project path', 'PUT', '/projects/:id', 'acme/path', (path) => ({ path })),
  field('view name', 'POST', `${TRACKING}/views`, 'mine', (name) => ({ name, query: 'status=all' })),
  field('user name', 'PUT', '/users/:user', 'Ada L.', (name) => ({ name })),
  field('user email', 'PUT', '/users/:user', 'ada@shop.example', (email) => ({ email })),
  field('token name', 'POST', '/personal_access_tokens', 'ci', (name) => ({ name, scopes: ['api'] })),
  field('token description', 'POST', '/personal_access_tokens', 'for ci', (description) => ({
    name: 'ci',
    description,
    scopes: ['api'],
  })),
];

const CONTROLS = ['\n', '\r', '\t', '\0', '\u007f', '\u0085'];

describeOnStores('control characters in addresses, names and templates', (kind) => {
  let app: RunningApp;
  let administrator: Person;
  let project: Project;
  before(async () => {
    app = await startApp(kind);
    administrator = await givenPerson(app.store, true);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
  });

  for (const { name, method, path, good, body } of FIELDS) {
    it(`are refused inside ${name}, and at its end refused or removed`, async () => {
      const { user } = await givenPerson(app.store);
      const ask = (value: string) =>
        app.ask(method, `/api/v4${path.replace(':id', String(project.id)).replace(':user', String(user.id))}`, {
          token: administrator.token,
          body: body(value),
        });
      const middle = Math.ceil(good.length / 2);
      for (const control of CONTROLS) {
        const inside = await ask(good.slice(0, middle) + control + good.slice(middle));
        assert.equal(inside.status, 400, `${JSON.stringify(control)}: ${inside.text}`);
        for (const value of [good + control, control + good]) {
          const around = await ask(value);
          if (around.status !== 400) assert.doesNotMatch(around.text, /\\[nrt]|\\u00|[\x7f-\x9f]/, around.text);
        }
      }
      const taken = await ask(good);
      assert.ok(taken.status < 300, taken.text);
    });
  }
});
