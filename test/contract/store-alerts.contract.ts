import assert from 'node:assert/strict';
import { MAX_CHANNELS } from '../../src/domain/alerts/alert-channel.ts';
import type { Conversation, Destination } from '../../src/domain/alerts/alert-delivery.ts';
import { DEFAULT_ALERTS, DEFAULT_PREFERENCES, type ProjectAlerts } from '../../src/domain/alerts/alert-rule.ts';
import { alertSetUp, makeConversation, makePending } from '../support/alert-data.ts';
import { DAY, HOUR, makeProject, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';

/** What alerts keep beside facts: channels, rules, people's settings, conversations, thresholds. */
export function alertsContract(harness: () => StoreHarness): void {
  const setUp = () => alertSetUp(harness().store);

  describe('channels', () => {
    it('are listed by id, changed and removed within their project', async () => {
      const { store, project, channel } = await setUp();
      const first = await store.createChannel(channel, NOON);
      const second = await store.createChannel({ ...channel, type: 'webhook', name: 'hook' }, NOON + 1);
      assert.deepEqual(first, { id: first.id, ...channel, enabled: true, disabledReason: null, createdAt: NOON });
      assert.ok(second.id > first.id);
      assert.deepEqual(await store.listChannels(project.id), [first, second]);
      const other = await makeProject(store);
      assert.deepEqual(await store.listChannels(other.id), []);
      assert.equal(await store.updateChannel(other.id, first.id, { name: 'x' }), null);
      assert.equal(await store.removeChannel(other.id, first.id), false);
      const patch = { name: 'team', enabled: false, disabledReason: 'The receiver answered 410.' };
      const changed = await store.updateChannel(project.id, first.id, patch);
      assert.deepEqual(changed, { ...first, ...patch });
      assert.deepEqual(await store.listChannels(project.id), [changed, second]);
      const all = (await store.listChannels(null)).filter(({ projectId }) => projectId === project.id);
      assert.deepEqual(all, [changed, second]);
      assert.equal(await store.removeChannel(project.id, second.id), true);
      assert.equal(await store.removeChannel(project.id, second.id), false);
      const third = await store.createChannel(channel, NOON);
      assert.ok(third.id > second.id, 'ids are not used again');
      await assert.rejects(store.createChannel({ ...channel, projectId: 999_999 }, NOON), {
        code: 'project_not_found',
      });
    });

    it('are bounded per project', async () => {
      const { store, channel } = await setUp();
      for (let each = 0; each < MAX_CHANNELS; each += 1) await store.createChannel(channel, NOON);
      await assert.rejects(store.createChannel(channel, NOON), { code: 'conflict' });
    });

    it('change their secrets only from those that were read', async () => {
      const { store, project, channel } = await setUp();
      const { id } = await store.createChannel(channel, NOON);
      assert.equal(await store.replaceSealedChannel(id, 's1', 's2'), true);
      assert.equal(await store.replaceSealedChannel(id, 's1', 's3'), false);
      assert.deepEqual((await store.listChannels(project.id)).map(({ sealed }) => sealed), ['s2']); // prettier-ignore
    });
  });

  describe('rules', () => {
    it('are those of the project once it has its own', async () => {
      const { store, project } = await setUp();
      assert.equal(await store.projectAlerts(project.id), null);
      const [rule] = DEFAULT_ALERTS.rules;
      assert.ok(rule !== undefined);
      const alerts: ProjectAlerts = {
        rules: [{ ...rule, id: 4, when: { kinds: ['new'], threshold: { events: 100, minutes: 5 }, users: 50 } }],
        lastRuleId: 7,
        poll: true,
      };
      await store.saveProjectAlerts(project.id, DEFAULT_ALERTS);
      await store.saveProjectAlerts(project.id, alerts);
      assert.deepEqual(await store.projectAlerts(project.id), alerts);
      const listed = (await store.listProjectAlerts()).filter(({ projectId }) => projectId === project.id);
      assert.deepEqual(listed, [{ projectId: project.id, ...alerts }]);
      await assert.rejects(store.saveProjectAlerts(999_999, alerts), { code: 'project_not_found' });
    });
  });

  describe('preferences', () => {
    it('are kept per person', async () => {
      const { store, project, makePerson } = await setUp();
      const userId = await makePerson();
      assert.equal(await store.alertPreferences(userId), null);
      const own = {
        mail: 'mine',
        projects: [{ projectId: project.id, mail: 'off' }],
        quiet: { from: '22:00', to: '07:30' },
        zone: 'Europe/Berlin',
        heartbeat: true,
      } as const;
      await store.saveAlertPreferences(userId, DEFAULT_PREFERENCES);
      assert.deepEqual(await store.alertPreferences(userId), DEFAULT_PREFERENCES);
      await store.saveAlertPreferences(userId, own);
      assert.deepEqual(await store.alertPreferences(userId), own);
      const listed = (await store.listAlertPreferences()).filter((each) => each.userId === userId);
      assert.deepEqual(listed, [{ userId, ...own }]);
      await assert.rejects(store.saveAlertPreferences(999_999, own), { code: 'not_found' });
    });

    it('stay when the person leaves a project', async () => {
      const { store, project, makePerson } = await setUp();
      const userId = await makePerson();
      await store.setMember(project.id, userId, 30);
      await store.saveAlertPreferences(userId, DEFAULT_PREFERENCES);
      await store.saveConversation(makeConversation(`user:${userId}`));
      await store.removeMember(project.id, userId);
      assert.deepEqual(await store.alertPreferences(userId), DEFAULT_PREFERENCES);
      assert.ok((await store.listConversations()).some(({ destination }) => destination === `user:${userId}`));
    });
  });

  describe('conversations', () => {
    const conversationOf = async (destination: Destination) =>
      (await harness().store.listConversations()).find((each) => each.destination === destination);

    it('change one version at a time', async () => {
      const { store, project, makePerson } = await setUp();
      const destination = `user:${await makePerson()}` as const;
      const first = makeConversation(destination);
      assert.equal(await store.saveConversation({ ...first, version: 2 }), false);
      assert.equal(await conversationOf(destination), undefined);
      const raced = await Promise.all([1, 2].map((number) => store.saveConversation({ ...first, number })));
      assert.deepEqual(raced.sort(), [false, true]);
      const next: Conversation = {
        ...{ destination, version: 2, level: 3, lastSentAt: NOON, number: 7, cursor: 12 },
        ...{ firstWaiting: NOON - 1, lastWaiting: NOON, notBefore: NOON + HOUR },
        ...{ heartbeatAt: NOON - DAY, failingSince: NOON - HOUR, troubleTo: [3, 4] },
        pending: makePending([project], { attempts: 2, nextAt: NOON + 5, lastAnswer: '503' }),
      };
      assert.equal(await store.saveConversation(next), true);
      assert.deepEqual(await conversationOf(destination), next);
      assert.equal(await store.saveConversation({ ...next, level: 0 }), false);
      const done = { ...first, version: 3 };
      const both = await Promise.all([done, { ...done, level: 1 }].map((each) => store.saveConversation(each)));
      assert.deepEqual(both.sort(), [false, true]);
      await store.removeConversation(destination);
      assert.equal(await conversationOf(destination), undefined);
      assert.equal(await store.saveConversation({ ...done, version: 4 }), false);
    });

    it('end with their channel, and do not begin again', async () => {
      const { store, project, channel } = await setUp();
      const { id } = await store.createChannel(channel, NOON);
      const first = makeConversation(`channel:${id}`);
      assert.equal(await store.saveConversation(first), true);
      assert.equal(await store.removeChannel(project.id, id), true);
      assert.equal(await conversationOf(`channel:${id}`), undefined);
      assert.equal(await store.saveConversation({ ...first, version: 2 }), false);
      assert.equal(await store.saveConversation(first), false);
    });
  });

  describe('thresholds', () => {
    it('are kept per rule and error', async () => {
      const { store, project } = await setUp();
      const arm = { projectId: project.id, ruleId: 2, errorId: '7', fired: 1, armed: false, belowSince: null };
      const next = { ...arm, fired: 2, armed: true, belowSince: NOON };
      const other = { ...arm, errorId: '8' };
      for (const each of [arm, other, next]) await store.saveThresholdArm(each);
      await store.saveThresholdArm({ ...arm, projectId: 999_999 });
      const arms = async () => (await store.thresholdArms(project.id)).sort((a, b) => (a.errorId < b.errorId ? -1 : 1));
      assert.deepEqual(await arms(), [next, other]);
      await store.removeThresholdArm(other);
      await store.removeThresholdArm(other);
      assert.deepEqual(await arms(), [next]);
    });
  });
}
