import assert from 'node:assert/strict';
import type { Delivery, Destination } from '../../src/domain/alerts/alert-delivery.ts';
import { DEFAULT_ALERTS } from '../../src/domain/alerts/alert-rule.ts';
import type { DeliveryQuery } from '../../src/domain/ports/stores/alert-store.ts';
import { alertSetUp, makeConversation, makeDelivery, makePending } from '../support/alert-data.ts';
import { factsOf } from '../support/facts.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';
import { DAY, HOUR, makeEvent, makeProject, NOON, TestJournal } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** What became of messages, and what a removed project leaves. */
export function deliveriesContract(harness: () => StoreHarness): void {
  const setUp = () => alertSetUp(harness().store);

  describe('deliveries', () => {
    const query = (projectId: number, more: Partial<DeliveryQuery> = {}): DeliveryQuery => ({
      ...{ projectId, destination: null, limit: 100, after: null, ...more },
    });

    it('are added or replaced by id, and counted while they have failed', async () => {
      const { store, project, channel } = await setUp();
      const { id } = await store.createChannel(channel, NOON);
      const all = await store.failedDeliveries(null);
      const destination: Destination = `channel:${id}`;
      const failed = makeDelivery([project], { destination, state: 'failed', answer: '500', attempts: 10 });
      await store.saveDelivery(failed);
      await store.saveDelivery(failed);
      assert.deepEqual(await store.deliveryById(failed.id), failed);
      assert.deepEqual([await store.failedDeliveries(project.id), (await store.failedDeliveries(null)) - all], [1, 1]);
      const sent = { ...failed, state: 'sent', attempts: 11, answer: '200', at: NOON + HOUR } as const;
      await store.saveDelivery(sent);
      assert.deepEqual(await store.listDeliveries(query(project.id)), [sent]);
      assert.deepEqual([await store.failedDeliveries(project.id), (await store.failedDeliveries(null)) - all], [0, 0]);
      assert.equal(await store.deliveryById('msg_unknown'), null);
    });

    it('of tests are not counted: their outcome was shown at once', async () => {
      const { store, project, channel } = await setUp();
      const { id } = await store.createChannel(channel, NOON);
      const all = await store.failedDeliveries(null);
      const failed = makeDelivery([project], { destination: `channel:${id}`, state: 'failed', answer: '404' });
      await store.saveDelivery({ ...failed, message: { ...failed.message, kind: 'test' } });
      assert.deepEqual([await store.failedDeliveries(project.id), (await store.failedDeliveries(null)) - all], [0, 0]);
    });

    it('are not counted once they cannot be sent again', async () => {
      const { store, project, channel, makePerson } = await setUp();
      const other = await makeProject(store);
      const [stays, leaves] = [await makePerson(), await makePerson()];
      for (const { id } of [project, other]) {
        for (const userId of [stays, leaves]) await store.setMember(id, userId, 30);
      }
      const { id } = await store.createChannel(channel, NOON);
      const all = await store.failedDeliveries(null);
      const counts = async () => [
        await store.failedDeliveries(project.id),
        await store.failedDeliveries(other.id),
        (await store.failedDeliveries(null)) - all,
      ];
      const fail = (destination: Destination, projects = [project, other]) =>
        store.saveDelivery(makeDelivery(projects, { destination, state: 'failed', answer: '500' }));
      await fail(`channel:${id}`, [project]);
      await fail(`user:${stays}`);
      await fail(`user:${leaves}`);
      assert.deepEqual(await counts(), [3, 2, 3]);
      await fail(`user:${stays}`, []);
      assert.deepEqual(await counts(), [3, 2, 3], 'a daily message is about no project');
      await store.removeMember(other.id, leaves);
      assert.deepEqual(await counts(), [2, 1, 2]);
      assert.equal(await store.removeChannel(project.id, id), true);
      assert.deepEqual(await counts(), [1, 1, 1]);
    });

    it('are listed by project, newest first, in pages', async () => {
      const { store, project } = await setUp();
      const other = await makeProject(store);
      const made: Delivery[] = [];
      for (let each = 0; each < 7; each += 1) {
        const destination: Destination = each % 2 === 0 ? 'channel:1' : 'user:2';
        made.push(
          makeDelivery(each === 3 ? [project, other] : [project], { at: NOON + Math.floor(each / 2), destination }),
        );
      }
      for (const delivery of made) await store.saveDelivery(delivery);
      const newest = [...made].sort((a, b) => b.at - a.at || (a.id < b.id ? 1 : -1));
      assert.deepEqual(await store.listDeliveries(query(project.id)), newest);
      assert.deepEqual(await store.listDeliveries(query(other.id)), [made[3]]);
      const paged: Delivery[] = [];
      for (let after: string | null = null; ;) {
        const page: Delivery[] = await store.listDeliveries(query(project.id, { limit: 2, after }));
        paged.push(...page);
        after = page.at(-1)?.id ?? null;
        if (after === null) break;
      }
      assert.deepEqual(paged, newest);
      assert.deepEqual(
        await store.listDeliveries(query(project.id, { destination: 'user:2' })),
        newest.filter(({ destination }) => destination === 'user:2'),
      );
      assert.deepEqual(await store.listDeliveries(query(project.id, { after: 'msg_unknown' })), []);
    });

    it('are found by a place between their facts', async () => {
      const { store, project } = await setUp();
      const other = await makeProject(store);
      const first = makeDelivery([project], { facts: [[3, 5], [9, 10]], at: NOON }); // prettier-ignore
      const second = makeDelivery([project], { facts: [[10, 10]], at: NOON + 1 });
      const none = makeDelivery([project], { facts: [], at: NOON + 2 });
      for (const delivery of [first, second, none]) await store.saveDelivery(delivery);
      const around = async (seq: number) => (await store.deliveriesAround(project.id, seq)).map(({ id }) => id);
      assert.deepEqual(await around(2), []);
      assert.deepEqual([await around(3), await around(7)], [[first.id], [first.id]]);
      assert.deepEqual(await around(10), [second.id, first.id]);
      assert.deepEqual([await around(11), await store.deliveriesAround(other.id, 5)], [[], []]);
    });
  });

  describe('alerts of a removed project', () => {
    it('go with it, also from messages about other projects', async () => {
      const { store, project, channel, makePerson } = await setUp();
      const stays = await makeProject(store);
      const { id } = await store.createChannel(channel, NOON);
      const destination = `user:${await makePerson()}` as const;
      await store.saveProjectAlerts(project.id, DEFAULT_ALERTS);
      await store.saveThresholdArm({ projectId: project.id, ruleId: 1, errorId: '1', fired: 1, armed: true, belowSince: null }); // prettier-ignore
      await store.saveConversation(makeConversation(`channel:${id}`));
      const pending = makePending([project, stays]);
      await store.saveConversation({ ...makeConversation(destination), pending });
      const own = makeDelivery([project], { state: 'failed' });
      const shared = makeDelivery([project, stays], { destination });
      const without = makeDelivery([], { destination });
      for (const delivery of [own, shared, without]) await store.saveDelivery(delivery);
      assert.equal(await store.deleteProject(project.id), true);
      assert.deepEqual(await store.listChannels(project.id), []);
      assert.equal(await store.projectAlerts(project.id), null);
      assert.deepEqual(await store.thresholdArms(project.id), []);
      const left = (await store.listConversations()).filter((each) => [destination, `channel:${id}`].includes(each.destination)); // prettier-ignore
      const parts = pending.message.parts.slice(1);
      assert.deepEqual(left, [
        {
          ...makeConversation(destination),
          version: 2,
          pending: { ...pending, message: { ...pending.message, parts } },
        },
      ]);
      assert.equal(await store.deliveryById(own.id), null);
      assert.deepEqual(await store.deliveryById(shared.id), {
        ...{ ...shared, projectIds: [stays.id] },
        message: { ...shared.message, parts: shared.message.parts.slice(1) },
      });
      assert.deepEqual(await store.deliveryById(without.id), without);
      assert.equal(await store.failedDeliveries(project.id), 0);
      const late = makeDelivery([project]);
      await store.saveDelivery(late);
      assert.equal(await store.deliveryById(late.id), null);
    });
  });
}

/** Retention of facts and deliveries; looks at the whole store. */
export function alertRetentionContract(harness: () => StoreHarness): void {
  describe('retention of alerts', () => {
    it('keeps facts that a message may still report', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await new TestJournal(store).apply(['a', 'b', 'c'].map((group) => makeEvent(project, group, { group })));
      const [, second, third] = await factsOf(store, project.id);
      const user = await store.createUser({ username: 'waits', name: 'W', admin: false, passwordHash: 'x' });
      const waiting = makeConversation(`user:${user.id}`, {
        cursor: second?.seq ?? 0,
        firstWaiting: 1,
        lastWaiting: 1,
      });
      await store.saveConversation(waiting);
      const later = Date.now() + DAY;
      await pruneAll(store, { ...KEEP, factsBefore: 0 });
      assert.equal((await factsOf(store, project.id)).length, 3);
      await pruneAll(store, { ...KEEP, factsBefore: later });
      assert.deepEqual(await factsOf(store, project.id), [third]);
      await store.saveConversation({ ...waiting, version: 2, firstWaiting: null, lastWaiting: null });
      await pruneAll(store, { ...KEEP, factsBefore: later });
      assert.deepEqual(await factsOf(store, project.id), []);
      await new TestJournal(store).apply([makeEvent(project, 'd', { group: 'd' })]);
      const [next] = await factsOf(store, project.id);
      assert.ok((next?.seq ?? 0) > (third?.seq ?? 0), 'places are not used again');
    });

    it('removes deliveries by their last attempt', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const [old, recent] = [makeDelivery([project], { at: NOON }), makeDelivery([project], { at: NOON + 1 })];
      for (const delivery of [old, recent]) await store.saveDelivery(delivery);
      await pruneAll(store, { ...KEEP, deliveriesBefore: NOON + 1 });
      assert.deepEqual(await store.deliveryById(old.id), null);
      const query = { projectId: project.id, destination: null, limit: 100, after: null };
      assert.deepEqual(await store.listDeliveries(query), [recent]);
    });
  });
}
