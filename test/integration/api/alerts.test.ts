import assert from 'node:assert/strict';
import type { Project } from '../../../src/domain/projects/project.ts';
import type { Answer, RunningApp } from '../../support/app.ts';
import { startApp } from '../../support/app.ts';
import { givenMember, givenPerson, givenTrackedProject, type Person } from '../../support/factories.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const DEFAULT = {
  id: 1,
  name: 'Important changes',
  enabled: true,
  when: { kinds: ['new', 'regressed', 'escalated', 'unmuted'], threshold: null, users: null },
  only: {
    environments: [],
    except_environments: ['development', 'dev', 'local', 'test'],
    levels: ['error', 'fatal'],
    releases: [],
    tags: [],
    contains: '',
  },
  to: { members: true, users: [], channels: 'all' },
  how: { mode: 'now', at: '09:00', quiet: null, zone: 'UTC' },
};

describeOnStores('alert rules over REST', (kind) => {
  let app: RunningApp;
  let project: Project;
  let maintainer: Person;

  before(async () => {
    app = await startApp(kind);
  });
  after(() => app.close());
  beforeEach(async () => {
    project = await givenTrackedProject(app.store);
    maintainer = await givenMember(app.store, project, 'maintainer');
    app.alerts.outlooks = [];
  });

  const path = () => `/api/v4/projects/${project.id}/error_tracking/alerts`;
  const get = () => app.get(path(), maintainer.token);
  const put = (body: unknown): Promise<Answer> => app.ask('PUT', path(), { token: maintainer.token, body });
  const givenChannel = async (of: Project) => {
    const draft = { type: 'slack', name: 'chat', url: 'https://hooks.example/x', secret: null } as const;
    return (await app.deps.alertChannels.create(of.id, draft)).channel;
  };

  it('are the default rule until the project has its own', async () => {
    assert.deepEqual((await get()).json(), { rules: [DEFAULT], poll: false, default: true, mail: true, people: [] });
  });

  it('name the people that get messages, without their addresses', async () => {
    const outlook = { state: 'waiting', nextAt: 60_000, reason: 'Waits.', lastSentAt: 1000 } as const;
    const idle = { failingSince: null, lastAnswer: null };
    app.alerts.outlooks = [
      { destination: 'channel:1', name: 'chat', ...outlook, ...idle },
      { destination: 'user:7', name: 'Ann', ...outlook, ...idle },
    ];
    const shown = {
      ...{ state: 'waiting', next_at: '1970-01-01T00:01:00.000Z', reason: 'Waits.' },
      ...{ last_sent_at: '1970-01-01T00:00:01.000Z', failing_since: null, last_answer: null },
    };
    assert.deepEqual((await get()).json().people, [{ id: 7, name: 'Ann', outlook: shown }]);
  });

  it('are replaced; ids are given once, and omitted members are those of the default rule', async () => {
    const first = await put({
      rules: [{ name: 'Important' }, { name: 'All levels', only: { levels: [] } }],
      poll: true,
    });
    assert.equal(first.status, 200);
    const { rules, poll, default: isDefault } = first.json();
    assert.deepEqual([poll, isDefault], [true, false]);
    assert.deepEqual(rules, [
      { ...DEFAULT, id: 2, name: 'Important' },
      { ...DEFAULT, id: 3, name: 'All levels', only: { ...DEFAULT.only, levels: [] } },
    ]);
    assert.deepEqual((await get()).json().rules, rules);
    const second = (await put({ rules: [rules[1], { name: 'Third' }] })).json();
    assert.deepEqual(
      second.rules.map(({ id, name }: { id: number; name: string }) => [id, name]),
      [
        [3, 'All levels'],
        [4, 'Third'],
      ],
    );
    assert.equal(second.poll, true, 'omitted: stays');
    const third = (await put({ poll: false })).json();
    assert.deepEqual([third.poll, third.rules], [false, second.rules], 'rules that are omitted stay');
    assert.match((await put({ rules: [rules[0]] })).json().error, /there is no rule with the id 2/);
    assert.deepEqual((await put({ rules: [] })).json().rules, []);
  });

  it('keep everything that a rule can say', async () => {
    const channel = await givenChannel(project);
    const rule = {
      name: 'Nights',
      enabled: false,
      when: { kinds: ['new'], threshold: { events: 100, minutes: 5 }, users: 50 },
      only: {
        environments: ['production'],
        except_environments: [],
        levels: ['fatal'],
        releases: ['shop@1.0'],
        tags: [{ key: 'region', value: 'eu' }],
        contains: 'Timeout',
      },
      to: { members: false, users: [maintainer.user.id], channels: [channel.id] },
      how: { mode: 'daily', at: '08:30', quiet: { from: '22:00', to: '07:00' }, zone: 'Europe/Berlin' },
    };
    const answer = await put({ rules: [rule] });
    assert.deepEqual(answer.json().rules, [{ id: 2, ...rule }], answer.text);
    assert.deepEqual((await get()).json().rules, [{ id: 2, ...rule }]);
  });

  it('are shown without recipients that are gone, so that they can be saved again', async () => {
    const [channel, member] = [await givenChannel(project), await givenMember(app.store, project, 'reporter')];
    await put({ rules: [{ name: 'R', to: { users: [member.user.id], channels: [channel.id] } }] });
    await app.store.removeMember(project.id, member.user.id);
    const deleted = `/api/v4/projects/${project.id}/error_tracking/alert_channels/${channel.id}`;
    assert.equal((await app.ask('DELETE', deleted, { token: maintainer.token })).status, 204);
    const { rules } = (await get()).json();
    assert.deepEqual(rules[0].to, { members: true, users: [], channels: [] });
    assert.equal((await put({ rules })).status, 200);
  });

  it('refuse ids of other projects, and rules that say nothing or go nowhere', async () => {
    const [foreign, stranger] = [
      await givenChannel(await givenTrackedProject(app.store)),
      await givenPerson(app.store),
    ];
    for (const [rule, error] of [
      [{ to: { users: [stranger.user.id] } }, /names the user \d+, who is no member of the project/],
      [{ to: { channels: [foreign.id] } }, /names the channel \d+, which the project does not have/],
      [{ when: { kinds: [] } }, /reports nothing: choose kinds, a threshold or a number of users/],
      [{ to: { members: false, channels: [] } }, /goes to no recipient/],
      [{ how: { zone: 'Mars/Olympus' } }, /zone is unknown: use a name such as Europe\/Berlin/],
      [{ id: 9 }, /there is no rule with the id 9/],
    ] as const) {
      const answer = await put({ rules: [{ name: 'x', ...rule }] });
      assert.deepEqual([answer.status, error.test(answer.json().error)], [400, true], answer.text);
    }
    const twice = await put({ rules: [DEFAULT, DEFAULT] });
    assert.match(twice.json().error, /two rules have the same id/);
    assert.equal((await get()).json().default, true, 'nothing was saved');
  });

  it('refuse what is not a rule, and name every problem', async () => {
    const many = Array.from({ length: 21 }, () => ({ name: 'x' }));
    for (const [body, error] of [
      [{}, 'rules and poll are missing: give at least one of them'],
      [{ rules: 'all' }, 'rules must be array'],
      [{ rules: many }, 'a project has at most 20 rules'],
      [{ rules: [{}] }, 'rules.0.name is missing'],
      [{ rules: [{ name: '' }] }, 'rules.0.name must not be empty'],
      [{ rules: [{ name: 'a\nb' }] }, 'rules.0.name must be one line of text'],
      [{ rules: [{ name: 'x', wen: {} }] }, 'rules.0.wen is not known'],
      [
        { rules: [{ name: 'x', when: { kinds: ['old'] }, how: { at: '25:00' } }] },
        'rules.0.when.kinds.0 must be one of new, regressed, escalated, unmuted, rules.0.how.at must be a time such as 08:30',
      ],
      [
        { rules: [{ name: 'x', when: { threshold: { events: 0, minutes: 5 } } }] },
        'rules.0.when.threshold.events must be >= 1',
      ],
      [{ rules: [{ name: 'x', when: { threshold: { events: 1 } } }] }, 'rules.0.when.threshold.minutes is missing'],
      [{ rules: [], poll: 'yes' }, 'poll must be boolean'],
    ] as const) {
      const answer = await put(body);
      assert.deepEqual([answer.status, answer.json()], [400, { error }], JSON.stringify(body));
    }
    const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const posted = await app.ask('PUT', path(), { token: maintainer.token, headers: form, body: 'rules=' });
    assert.equal(posted.status, 415);
  });
});
