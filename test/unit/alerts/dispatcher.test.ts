import assert from 'node:assert/strict';
import { ROUTED_KEY } from '../../../src/alerts/fact-router.ts';
import { RESTORED_ANSWER } from '../../../src/alerts/pass-over-restored.ts';
import { totalCounts } from '../../../src/domain/alerts/alert-message.ts';
import { ALERTS_RESTORED } from '../../../src/domain/ports/stores/alert-store.ts';
import { AlertWorld, MINUTE } from '../../support/dispatch-world.ts';
import { TAKEN } from '../../support/fake-alert-sender.ts';
import { errorOf, makeProject, HOUR, NOON } from '../../support/store-data.ts';
import { describeOnStores, type OpenedStore } from '../../support/test-stores.ts';

const names = (count: number, prefix = 'e'): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describeOnStores('the dispatcher of alerts', (kind) => {
  // Each turn takes some milliseconds more there.
  const [seconds, step, longStep] = kind.shared ? [6, 10_000, 30 * MINUTE] : [50, 1000, MINUTE];
  let opened: OpenedStore;
  let world: AlertWorld;
  beforeEach(async () => {
    const time = { at: NOON };
    opened = await kind.open({ now: () => time.at });
    world = new AlertWorld(opened.store, { time, shared: kind.shared });
  });
  afterEach(() => opened.dispose());

  it(`sends ${seconds * 20} new errors of a minute as one message to each of ten members and a channel`, async () => {
    const project = await world.project();
    for (const _ of names(10)) await world.member(project);
    await world.member(project, 'reporter');
    const channel = await world.channel(project);
    for (let second = 0; second < seconds; second += 1) {
      await world.happen(project, names(20, `s${second} `), { release: 'shop@2' });
      await world.pass(1000);
    }
    await world.pass(5 * MINUTE, step);
    assert.equal(world.sender.attempts.length, 11);
    const [message] = world.sender.taken(channel.name);
    assert.ok(message);
    assert.deepEqual(totalCounts(message.parts), { new: seconds * 20, regressed: 0, escalated: 0, unmuted: 0 });
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
    // The seconds of errors, from the beginning of the minute before.
    assert.equal(firstSeenBefore - firstSeenAfter, 60_000 + (seconds - 1) * 1000);
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
    world.sender.mail = null;
    const project = await world.project();
    await world.happen(project, ['unheard']);
    await world.pass(2000);
    const [fact] = await world.store.factsOfError(project.id, (await errorOf(world.store, project, 'unheard')).id);
    assert.match(fact?.silence ?? '', /nobody receives it: mail is not configured, and the project has no channel/);
    const lease = await world.store.getMeta('lease:alerts');
    const place = await world.store.getMeta(ROUTED_KEY);
    await world.pass(10 * MINUTE, MINUTE);
    // Gateways that share a store renew the lease, which is no value of the store there.
    assert.equal(await world.store.getMeta('lease:alerts'), lease);
    assert.equal(await world.store.getMeta(ROUTED_KEY), place);
    assert.deepEqual(await world.store.listConversations(), []);
  });

  it('sends nothing that waited in a store that was restored, and what happens later', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    world.sender.answer = () => ({ outcome: 'retry', answer: '500', afterMs: null });
    await world.happen(project, ['on its way']);
    await world.pass(31_000);
    await world.happen(project, ['waiting']);
    await world.pass(1000);
    await world.dispatcher.stop();
    const attempts = world.sender.attempts.length;
    assert.ok(attempts > 0);
    // As the commands leave it that restore and copy stores.
    await world.store.setMeta(ALERTS_RESTORED, String(await world.store.lastFact()));
    await world.happen(project, ['later']);
    world.sender.answer = () => TAKEN;
    world.dispatcher = world.makeDispatcher();
    await world.pass(10 * MINUTE, 5000);
    assert.equal(world.sender.attempts.length, attempts + 1);
    const [message] = world.sender.taken(channel.name);
    assert.deepEqual(
      message?.parts[0]?.errors.map(({ error }) => error.message),
      ['bad value in later'],
    );
    const rows = await world.store.listDeliveries({ projectId: project.id, destination: null, limit: 9, after: null });
    assert.deepEqual(rows.map(({ state, answer }) => `${state} ${answer}`).sort(), [
      `dropped ${RESTORED_ANSWER}`,
      'sent 200',
    ]);
    const [waited] = await world.store.factsOfError(project.id, (await errorOf(world.store, project, 'waiting')).id);
    assert.equal(waited?.silence, RESTORED_ANSWER);
  });

  it('gathers digests until their hour', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    await world.rules(project, { how: { mode: 'daily', at: '09:00', quiet: null, zone: 'Europe/Berlin' } });
    await world.happen(project, ['a']);
    await world.pass(HOUR, longStep);
    await world.happen(project, ['b']);
    await world.pass(23 * HOUR, longStep);
    const sent = world.sender.taken(channel.name);
    assert.deepEqual(
      sent.map(({ createdAt, parts }) => [new Date(createdAt).toISOString().slice(11, 16), parts[0]?.counts.new]),
      [['08:00', 2]],
    );
  });
});
