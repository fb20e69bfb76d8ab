import assert from 'node:assert/strict';
import { totalCounts } from '../../../src/domain/alert-message.ts';
import { AlertWorld, MINUTE } from '../../support/dispatch-world.ts';
import { errorOf, makeProject, HOUR } from '../../support/store-data.ts';
import { type OpenedStore, SQLITE } from '../../support/test-stores.ts';

const names = (count: number, prefix = 'e'): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('the dispatcher of alerts', () => {
  let opened: OpenedStore;
  let world: AlertWorld;
  beforeEach(async () => {
    opened = await SQLITE.open();
    world = new AlertWorld(opened.store);
  });
  afterEach(() => opened.dispose());

  it('sends 1,000 new errors of a minute as one message to each of ten members and a channel', async () => {
    const project = await world.project();
    for (const _ of names(10)) await world.member(project);
    await world.member(project, 'reporter');
    const channel = await world.channel(project);
    for (let second = 0; second < 50; second += 1) {
      await world.happen(project, names(20, `s${second} `), { release: 'shop@2' });
      await world.pass(1000);
    }
    await world.pass(5 * MINUTE);
    assert.equal(world.sender.attempts.length, 11);
    const [message] = world.sender.taken(channel.name);
    assert.ok(message);
    assert.deepEqual(totalCounts(message.parts), { new: 1000, regressed: 0, escalated: 0, unmuted: 0 });
    assert.equal(message.parts[0]?.errors.length, 10);
    assert.equal(message.parts[0].release, 'shop@2');
    const link = new URL(message.parts[0].url);
    assert.equal(link.pathname, `/${project.path}/-/error_tracking`);
    const firstSeenAfter = Date.parse(link.searchParams.get('first_seen_after') ?? '');
    const firstSeenBefore = Date.parse(link.searchParams.get('first_seen_before') ?? '');
    const { items } = await world.store.listErrors(
      project.id,
      {
        ...{ status: 'unresolved', search: null, sort: 'first_seen', environment: null, release: null, level: null },
        ...{ limit: 100, cursor: null, firstSeenAfter, firstSeenBefore },
      },
      world.now,
    );
    assert.equal(items.length, 100);
    assert.equal(firstSeenBefore - firstSeenAfter, 49_000);
  });

  it('reports what happened before its first turn in a new store', async () => {
    const project = await makeProject(world.store);
    await world.store.saveSettings(project.id, { active: true, integrated: true });
    const channel = await world.channel(project);
    await world.happen(project, ['early']);
    await world.pass(32_000);
    assert.equal(world.sender.taken(channel.name).length, 1);
  });

  it('names the loudest errors: fatal ones, then by users and events', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    await world.happen(project, names(12));
    await world.happen(project, ['e3', 'e3', 'e3']);
    await world.happen(project, ['e4'], { user: 'a' });
    await world.happen(project, ['worst'], { level: 'fatal' });
    await world.pass(31_000);
    const errors = world.sender.taken(channel.name)[0]?.parts[0]?.errors.map(({ error }) => error.message) ?? [];
    assert.deepEqual(errors.slice(0, 4), [
      'bad value in worst',
      'bad value in e4',
      'bad value in e3',
      'bad value in e0',
    ]);
    assert.equal(errors.length, 10);
  });

  it('leaves out errors that were resolved, ignored, merged or deleted while they waited', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    await world.happen(project, ['left', 'resolved', 'ignored', 'merged']);
    const id = async (group: string) => (await errorOf(world.store, project, group)).id;
    await world.pass(1000);
    await world.store.setErrorStatus(project.id, await id('resolved'), 'resolved', world.now);
    await world.store.setErrorStatus(project.id, await id('ignored'), 'ignored', world.now);
    await world.store.mergeErrors(project.id, [await id('left'), await id('merged')]);
    await world.pass(MINUTE);
    const [message] = world.sender.taken(channel.name);
    assert.equal(message?.parts[0]?.counts.new, 1);
    assert.deepEqual(
      message.parts[0].errors.map(({ error }) => error.id),
      [await id('left')],
    );
  });

  it('sends nothing when nothing is left, and the next fact as if nothing had waited', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    await world.happen(project, ['resolved']);
    await world.pass(1000);
    const { id } = await errorOf(world.store, project, 'resolved');
    await world.store.setErrorStatus(project.id, id, 'resolved', world.now);
    await world.pass(MINUTE);
    assert.equal(world.sender.attempts.length, 0);
    await world.happen(project, ['next']);
    await world.pass(31_000);
    assert.equal(world.sender.taken(channel.name).length, 1);
  });

  it('writes nothing while nothing happens, and facts of projects without recipients get a reason', async () => {
    const project = await world.project();
    world.sender.mail = null;
    await world.happen(project, ['unheard']);
    await world.pass(2000);
    const [fact] = await world.store.factsOfError(project.id, (await errorOf(world.store, project, 'unheard')).id);
    assert.match(fact?.silence ?? '', /nobody receives it: mail is not configured, and the project has no channel/);
    const lease = await world.store.getMeta('lease:alerts');
    await world.pass(10 * MINUTE, MINUTE);
    assert.equal(await world.store.getMeta('lease:alerts'), lease);
    assert.deepEqual(await world.store.listConversations(), []);
  });

  it('gathers digests until their hour', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    await world.rules(project, { how: { mode: 'daily', at: '09:00', quiet: null, zone: 'Europe/Berlin' } });
    await world.happen(project, ['a']);
    await world.pass(HOUR, MINUTE);
    await world.happen(project, ['b']);
    await world.pass(23 * HOUR, MINUTE);
    const sent = world.sender.taken(channel.name);
    assert.deepEqual(
      sent.map(({ createdAt, parts }) => [new Date(createdAt).toISOString().slice(11, 16), parts[0]?.counts.new]),
      [['08:00', 2]],
    );
  });
});
