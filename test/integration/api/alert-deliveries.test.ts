import assert from 'node:assert/strict';
import type { AlertFact } from '../../../src/domain/alerts/alert-fact.ts';
import type { AlertMessage } from '../../../src/domain/alerts/alert-message.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { givenEvents, givenMember, givenTrackedProject } from '../../support/factories.ts';
import { restWorld } from '../../support/rest-world.ts';
import { describeOnStores } from '../../support/test-stores.ts';

const NO_COUNTS = { new: 0, regressed: 0, escalated: 0, unmuted: 0 };

describeOnStores('alert deliveries over REST', (kind) => {
  const world = restWorld(kind, 'maintainer');

  const base = (of = world.project) => `/api/v4/projects/${of.id}/error_tracking`;
  const list = (query = '') => world.app.get(`${base()}/alert_deliveries${query}`, world.member.token);
  const linkIn = (header: string | null) =>
    /<https:\/\/errors\.example\.test([^>]*)>; rel="next"/.exec(header ?? '')?.[1];

  it('are listed newest first, by pages and by destination', async () => {
    for (let index = 0; index < 5; index += 1) {
      await world.app.alerts.deliver(index % 2 === 0 ? 'channel:3' : 'user:4', `to ${index}`, [world.project.id]);
    }
    await world.app.alerts.deliver('channel:3', 'elsewhere', [(await givenTrackedProject(world.app.store)).id]);
    const names: string[] = [];
    let next: string | undefined = `${base()}/alert_deliveries?per_page=2`;
    while (next !== undefined) {
      const answer = await world.app.get(next, world.member.token);
      names.push(...answer.json().map(({ to }: { to: { name: string } }) => to.name));
      next = linkIn(answer.headers.get('Link'));
    }
    assert.deepEqual(names, ['to 4', 'to 3', 'to 2', 'to 1', 'to 0']);
    assert.equal((await list('?per_page=5')).headers.get('Link'), null, 'a full last page');
    const toUser = (await list('?user_id=4')).json();
    assert.deepEqual(
      toUser.map(({ to }: { to: object }) => to),
      [
        { kind: 'person', id: 4, name: 'to 3' },
        { kind: 'person', id: 4, name: 'to 1' },
      ],
    );
    assert.equal((await list('?channel_id=3')).json().length, 3);
    const cursor = new URL(`http://x${linkIn((await list('?per_page=2')).headers.get('Link'))}`).searchParams.get(
      'cursor',
    );
    assert.match((await list(`?channel_id=3&cursor=${cursor}`)).json().message, /belongs to another query/);
    for (const [query, error] of [
      ['?cursor=abc', 'cursor is not a cursor of this list'],
      ['?channel_id=0', 'channel_id must be at least 1'],
      ['?channel_id=3&user_id=4', 'channel_id and user_id cannot be combined'],
    ] as const) {
      const refused = await list(query);
      assert.deepEqual([refused.status, refused.json().error ?? refused.json().message], [400, error]);
    }
  });

  it('of a person have only what they say about this project', async () => {
    const other = await givenTrackedProject(world.app.store);
    const part = (of: Project, count: number): AlertMessage['parts'][number] => ({
      project: { id: of.id, path: of.path, name: of.name },
      counts: { ...NO_COUNTS, new: count },
      release: null,
      errors: [],
      url: 'https://errors.example.test/list',
    });
    const message: AlertMessage = {
      ...{ id: 'msg_both', kind: 'facts', createdAt: 0, since: 0, until: 0, note: '' },
      parts: [part(world.project, 2), part(other, 40)],
    };
    await world.app.alerts.deliver('user:4', 'Ann', [world.project.id, other.id], { id: 'msg_both', message });
    const answer = await list();
    assert.deepEqual(answer.json()[0].counts, { ...NO_COUNTS, new: 2 });
    assert.ok(!answer.text.includes(other.path));
  });

  it('are sent again once they failed', async () => {
    const { id } = await world.app.alerts.deliver('channel:3', 'Ops', [world.project.id], {
      state: 'failed',
      answer: '503',
    });
    const again = () => world.app.ask('POST', `${base()}/alert_deliveries/${id}/resend`, { token: world.member.token });
    const sent = await again();
    assert.deepEqual([sent.status, sent.json().id, sent.json().state], [200, id, 'sent']);
    assert.equal((await again()).status, 409);
    const other = await givenTrackedProject(world.app.store);
    const { token: foreign } = await givenMember(world.app.store, other, 'owner');
    for (const unknown of [id, 'msg_unknown', 'x', 'y'.repeat(300)]) {
      const address = `${base(other)}/alert_deliveries/${unknown}/resend`;
      assert.equal((await world.app.ask('POST', address, { token: foreign })).status, 404, unknown);
    }
  });

  it('about an error are told to Developers, by name', async () => {
    await givenEvents(world.app.store, world.project, [{ at: world.app.clock.at }]);
    const [{ id }] = (await world.app.get(`${base()}/errors`, world.member.token)).json();
    const address = `${base()}/errors/${id}/alerts`;
    assert.deepEqual((await world.app.get(address, world.member.token)).json(), []);
    assert.equal((await world.app.get(`${base()}/errors/999999/alerts`, world.member.token)).status, 404);
    const fact: AlertFact = {
      ...{
        id: 'users:x:100',
        kind: 'escalated',
        cause: { users: 100, ruleId: 3 },
        projectId: world.project.id,
        errorId: id,
      },
      ...{ at: 1000, type: 'T', title: 't', message: null, culprit: null, level: 'error', release: 'r@1' },
      ...{ environment: null, seq: 1, silence: null },
    };
    const outcome = { destination: 'user:4', name: 'Ann', state: 'waiting', messageId: null, at: 2000 } as const;
    world.app.alerts.histories.set(`${world.project.id} ${id}`, [
      { fact, silence: null, outcomes: [{ ...outcome, attempts: 0, answer: 'Waits until 14:30 UTC.' }] },
      { fact: { ...fact, kind: 'new', cause: {} }, silence: 'No rule reports it.', outcomes: [] },
    ]);
    const developer = await givenMember(world.app.store, world.project, 'developer');
    const shown = { at: '1970-01-01T00:00:01.000Z', release: 'r@1', environment: null };
    assert.deepEqual((await world.app.get(address, developer.token)).json(), [
      {
        ...{ fact: 'escalated', cause: { users: 100 }, ...shown, silence: null },
        deliveries: [
          {
            ...{ id: null, to: { kind: 'person', id: 4, name: 'Ann' }, state: 'waiting', attempts: 0 },
            ...{ answer: 'Waits until 14:30 UTC.', at: '1970-01-01T00:00:02.000Z' },
          },
        ],
      },
      { fact: 'new', cause: {}, ...shown, silence: 'No rule reports it.', deliveries: [] },
    ]);
    await world.app.store.saveSettings(world.project.id, { active: false });
    assert.equal((await world.app.get(address, developer.token)).status, 400);
  });
});
