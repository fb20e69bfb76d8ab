import assert from 'node:assert/strict';
import { AlertWorld, MINUTE } from '../../support/dispatch-world.ts';
import { HOUR } from '../../support/store-data.ts';
import { type OpenedStore, SQLITE } from '../../support/test-stores.ts';

describe('messages to people beside those of facts', () => {
  let opened: OpenedStore;
  let world: AlertWorld;
  beforeEach(async () => {
    opened = await SQLITE.open();
    world = new AlertWorld(opened.store);
  });
  afterEach(() => opened.dispose());

  it('tells maintainers by mail, once, of a channel that has failed for 15 minutes', async () => {
    const project = await world.project();
    await world.rules(project, { to: { members: false, users: [], channels: 'all' } });
    const maintainer = await world.member(project, 'maintainer');
    await world.member(project, 'developer');
    const channel = await world.channel(project);
    let fails = true;
    world.sender.answer = ({ name }) =>
      fails && name === channel.name
        ? { outcome: 'retry', answer: 'status 503', afterMs: null }
        : { outcome: 'sent', answer: '250' };
    await world.happen(project, ['a']);
    await world.pass(15 * MINUTE, 5000);
    assert.deepEqual(world.sender.taken(), []);
    await world.pass(4 * HOUR, 5000);
    const trouble = world.sender.taken();
    assert.equal(trouble.length, 1);
    assert.equal(trouble[0]?.kind, 'trouble');
    assert.match(trouble[0].note, new RegExp(`"${channel.name}" of .* has taken no messages since .* status 503`));
    assert.equal(
      world.sender.attempts.find(({ message }) => message.kind === 'trouble')?.recipient.name,
      maintainer.name,
    );
    fails = false;
    await world.pass(8 * HOUR, MINUTE);
    fails = true;
    await world.happen(project, ['b']);
    await world.pass(20 * MINUTE, 5000);
    assert.equal(world.sender.taken(maintainer.name).length, 2);
  });

  it('tells maintainers again, once a day, of a channel that goes on failing', async () => {
    const project = await world.project();
    await world.rules(project, { to: { members: false, users: [], channels: 'all' } });
    const maintainer = await world.member(project, 'maintainer');
    const channel = await world.channel(project);
    world.sender.answer = ({ name }) =>
      name === channel.name ? { outcome: 'refused', answer: '404' } : { outcome: 'sent', answer: '250' };
    for (let hours = 0; hours < 72; hours += 4) {
      await world.happen(project, [`after ${hours}`]);
      await world.pass(4 * HOUR, MINUTE);
    }
    const told = world.sender.attempts
      .filter(({ recipient }) => recipient.name === maintainer.name)
      .map(({ at }) => at);
    assert.equal(told.length, 3);
    for (const [at, time] of told.slice(1).entries()) assert.ok(time - (told[at] ?? 0) >= 24 * HOUR);
    await world.pass(72 * HOUR, 5 * MINUTE);
    assert.equal(world.sender.taken(maintainer.name).length, 3, 'nothing fails while nothing is sent');
  });

  it('tells maintainers each time that a receiver ends a channel, also when it failed before', async () => {
    const project = await world.project();
    await world.rules(project, { to: { members: false, users: [], channels: 'all' } });
    const maintainer = await world.member(project, 'maintainer');
    const channel = await world.channel(project);
    let outcome: 'retry' | 'gone' = 'retry';
    world.sender.answer = ({ name }) => {
      if (name !== channel.name) return { outcome: 'sent', answer: '250' };
      return outcome === 'gone' ? { outcome, answer: '410' } : { outcome, answer: '503', afterMs: null };
    };
    const told = () => world.sender.taken(maintainer.name).map(({ note }) => note.includes('answered 410'));
    await world.happen(project, ['a']);
    await world.pass(20 * MINUTE, 5000);
    assert.deepEqual(told(), [false]);
    outcome = 'gone';
    await world.pass(2 * HOUR, 10_000);
    assert.deepEqual(told(), [false, true]);
    await world.store.updateChannel(project.id, channel.id, { enabled: true, disabledReason: null });
    await world.happen(project, ['b']);
    await world.pass(2 * HOUR, 10_000);
    assert.deepEqual(told(), [false, true, true]);
  });

  it('sends a daily message to those that asked for one, at nine o’clock of their zone', async () => {
    const project = await world.project();
    const person = await world.member(project);
    await world.member(project);
    await world.prefer(person, { heartbeat: true, zone: 'America/New_York' });
    await world.pass(48 * HOUR, MINUTE);
    const daily = world.sender.attempts;
    assert.deepEqual(
      daily.map(({ at, recipient }) => [new Date(at).toISOString().slice(0, 16), recipient.name]),
      [
        ['2026-03-10T13:00', person.name],
        ['2026-03-11T13:00', person.name],
      ],
    );
    assert.equal(daily[0]?.message.kind, 'heartbeat');
    assert.match(daily[0].message.note, /nothing had to be reported/);
  });

  it('holds mail in quiet hours, also when the zone changes meanwhile', async () => {
    const project = await world.project();
    const [here, mover] = [await world.member(project), await world.member(project)];
    // It is 12:30 UTC: 21:30 in Tokyo.
    const quiet = { from: '21:00', to: '06:00' };
    await world.prefer(here, { quiet, zone: 'Asia/Tokyo' });
    await world.prefer(mover, { quiet, zone: 'Asia/Tokyo' });
    await world.happen(project, ['a']);
    await world.pass(10 * MINUTE, 10_000);
    assert.deepEqual(world.sender.attempts, []);
    await world.prefer(mover, { quiet, zone: 'Europe/Berlin' });
    await world.pass(MINUTE, 10_000);
    assert.deepEqual(
      world.sender.taken().map(({ kind }) => kind),
      ['facts'],
    );
    await world.happen(project, ['b']);
    await world.pass(9 * HOUR, MINUTE);
    const [message, ...more] = world.sender.taken(here.name);
    assert.equal(message?.parts[0]?.counts.new, 2);
    assert.deepEqual(more, []);
    assert.equal(new Date(message.createdAt).toISOString().slice(11, 16), '21:00');
  });
});
