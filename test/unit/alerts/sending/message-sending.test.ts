import assert from 'node:assert/strict';
import { AlertWorld, MINUTE } from '../../../support/dispatch-world.ts';
import { HOUR } from '../../../support/store-data.ts';
import { type OpenedStore, SQLITE } from '../../../support/test-stores.ts';

const names = (count: number, prefix = 'e'): string[] => Array.from({ length: count }, (_, n) => `${prefix}${n}`);

describe('sending of messages', () => {
  let opened: OpenedStore;
  let world: AlertWorld;
  beforeEach(async () => {
    opened = await SQLITE.open();
    world = new AlertWorld(opened.store);
  });
  afterEach(() => opened.dispose());

  it('repeats after failures as planned, with the same id and content, then fails and can say why', async () => {
    const project = await world.project();
    const channel = await world.channel(project);
    world.sender.answer = () => ({ outcome: 'retry', answer: '500', afterMs: null });
    await world.happen(project, ['a']);
    await world.pass(20 * HOUR, 5000);
    const attempts = world.sender.attempts.filter(({ recipient }) => recipient.name === channel.name);
    const delays = attempts.slice(1).map(({ at }, index) => Math.round((at - (attempts[index]?.at ?? 0)) / 5000) * 5);
    assert.deepEqual(delays, [5, 30, 120, 600, 1800, 3600, 7200, 14_400, 28_800]);
    assert.deepEqual(new Set(attempts.map(({ message }) => JSON.stringify(message))).size, 1);
    assert.deepEqual(
      attempts.map(({ mayRepeat }) => mayRepeat),
      [false, ...Array.from({ length: 9 }, () => true)],
    );
    const [delivery] = await world.store.listDeliveries({
      projectId: project.id,
      destination: null,
      limit: 10,
      after: null,
    });
    assert.deepEqual([delivery?.state, delivery?.attempts, delivery?.answer], ['failed', 10, '500']);
    assert.equal((await world.store.listConversations())[0]?.pending, null);
  });

  it('keeps to Retry-After up to an hour, tries refusals three times, and switches a channel off that is gone', async () => {
    const project = await world.project();
    const late = await world.channel(project);
    const refusing = await world.channel(project);
    const gone = await world.channel(project);
    world.sender.answer = ({ name }) => {
      if (name === late.name) return { outcome: 'retry', answer: '429', afterMs: 5 * HOUR };
      return { outcome: name === gone.name ? 'gone' : 'refused', answer: 'no' };
    };
    await world.happen(project, ['a']);
    await world.pass(65 * MINUTE);
    const times = (name: string) => world.sender.attempts.filter(({ recipient }) => recipient.name === name);
    assert.equal(times(refusing.name).length, 3);
    assert.equal(times(gone.name).length, 1);
    const [first, second] = times(late.name);
    assert.ok(first && second && second.at - first.at >= HOUR && second.at - first.at < HOUR + 2000);
    const channels = await world.store.listChannels(project.id);
    assert.deepEqual(
      channels.map(({ enabled, disabledReason }) => [enabled, disabledReason === null]),
      [
        [true, true],
        [true, true],
        [false, false],
      ],
    );
  });

  it('lets no slow or dead receiver delay another', async () => {
    const project = await world.project();
    const slow = await Promise.all(names(12).map(() => world.channel(project)));
    const quick = await world.channel(project);
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => (release = resolve));
    let dead = false;
    world.sender.answer = async ({ name }) => {
      if (slow.some((channel) => channel.name === name)) {
        if (dead) await held;
        return { outcome: 'retry', answer: 'time-out', afterMs: null };
      }
      return { outcome: 'sent', answer: '200' };
    };
    await world.happen(project, ['a']);
    await world.pass(35_000);
    assert.equal(world.sender.taken(quick.name).length, 1);
    dead = true;
    await world.pass(3 * MINUTE);
    await world.happen(project, ['b']);
    await world.pass(31_000);
    assert.equal(world.sender.taken(quick.name).length, 2);
    release();
  });

  it('drops what waits for a person that left, was blocked or has no address, and for a channel that is gone', async () => {
    const project = await world.project();
    const [left, blocked, nameless] = [
      await world.member(project),
      await world.member(project),
      await world.member(project),
    ];
    const [deleted, off] = [await world.channel(project), await world.channel(project)];
    let fails = true;
    world.sender.answer = () =>
      fails ? { outcome: 'retry', answer: '500', afterMs: null } : { outcome: 'sent', answer: '200' };
    await world.happen(project, ['a']);
    await world.pass(31_000);
    fails = false;
    await world.store.removeMember(project.id, left.id);
    await world.store.setUserBlocked(blocked.id, true);
    await world.store.updateUser(nameless.id, { email: null });
    await world.store.removeChannel(project.id, deleted.id);
    await world.store.updateChannel(project.id, off.id, { enabled: false });
    await world.pass(10_000);
    assert.deepEqual(world.sender.taken(), []);
    const rows = await world.store.listDeliveries({ projectId: project.id, destination: null, limit: 10, after: null });
    assert.deepEqual(rows.map(({ answer, state }) => `${state}: ${answer}`).sort(), [
      'dropped: The channel was deleted before the message was sent.',
      'dropped: The channel was switched off before the message was sent.',
      'dropped: The person has no mail address any more.',
      'dropped: The person left the project before the message was sent.',
      'dropped: The person was blocked before the message was sent.',
    ]);
    const dropped = world.counted.filter((one) => one.endsWith(' dropped')).sort();
    const persons = ['person dropped', 'person dropped', 'person dropped'];
    assert.deepEqual(dropped, [...persons, 'unknown dropped', 'webhook dropped']);
  });

  it('sends the other projects of a message to a person that left one', async () => {
    const [left, kept] = [await world.project(), await world.project()];
    const person = await world.member(left);
    await world.store.setMember(kept.id, person.id, 30);
    let fails = true;
    world.sender.answer = () =>
      fails ? { outcome: 'retry', answer: '451', afterMs: null } : { outcome: 'sent', answer: '250' };
    await world.happen(left, ['a']);
    await world.happen(kept, ['a', 'b']);
    await world.pass(31_000);
    fails = false;
    await world.store.removeMember(left.id, person.id);
    await world.pass(10_000);
    const [message] = world.sender.taken();
    assert.deepEqual(
      message?.parts.map(({ project, counts }) => [project.path, counts.new]),
      [[kept.path, 2]],
    );
    assert.notEqual(message.id, world.sender.attempts[0]?.message.id);
  });
});
