import assert from 'node:assert/strict';
import { AppError } from '../../src/domain/app-error.ts';
import type { Conversation } from '../../src/domain/alerts/alert-delivery.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import {
  tokens,
  users,
  webSessions,
  type StoredSession,
  type StoredUser,
} from '../../src/storage/records/kinds/account-kinds.ts';
import {
  alertArms,
  alertChannels,
  alertConversations,
  projectAlerts,
} from '../../src/storage/records/kinds/alert-kinds.ts';
import { projects } from '../../src/storage/records/owners.ts';
import { favourites, projectLinks } from '../../src/storage/records/kinds/link-kinds.ts';
import type { Records } from '../../src/storage/records/records.ts';
import { settings } from '../../src/storage/records/kinds/tracking-kinds.ts';
import {
  absent,
  change,
  exists,
  fewer,
  insert,
  patch,
  put,
  remove,
  removeAll,
  required,
} from '../../src/storage/records/writes.ts';
import { DEFAULT_SETTINGS } from '../../src/domain/projects/tracking-settings.ts';
import { makeProject } from '../support/store-data.ts';

/** Records of a store, and the store itself for projects and users. */
export interface RecordHarness {
  readonly store: Store;
  readonly records: Records;
  dispose(): Promise<void>;
}

const CONVERSATION: Omit<Conversation, 'destination'> = {
  version: 1,
  level: 0,
  lastSentAt: null,
  number: 0,
  cursor: 0,
  firstWaiting: null,
  lastWaiting: null,
  notBefore: null,
  pending: null,
  heartbeatAt: null,
  failingSince: null,
  troubleTo: [3, 1],
};
const channel = (projectId: number, name = 'ops') => ({
  ...{ projectId, type: 'webhook' as const, name, host: 'h.test', sealed: 'a' },
  ...{ enabled: true, disabledReason: null, createdAt: 5 },
});
const refusal = new AppError('conflict', 'no room: delete one first');

/** What rules rely on in both stores, whatever kind of rows they write. */
export function recordsContract(name: string, open: () => Promise<RecordHarness>): void {
  describe(`contract of records: ${name}`, () => {
    let harness: RecordHarness;
    let records: Records;
    let projectId: number;

    beforeEach(async () => {
      harness = await open();
      records = harness.records;
      projectId = (await makeProject(harness.store)).id;
    });
    afterEach(() => harness.dispose());

    const newChannel = async () => {
      const [made] = await records.write([insert(alertChannels, channel(projectId))]);
      assert.ok(made !== null);
      return made;
    };

    it('are read as they were written: numbers, texts, booleans, lists and nulls', async () => {
      const made = await newChannel();
      assert.deepEqual(await records.get(alertChannels, { id: made.id }), { id: made.id, ...channel(projectId) });
      const conversation: Conversation = { destination: `channel:${made.id}`, ...CONVERSATION };
      await records.write([insert(alertConversations, conversation)]);
      assert.deepEqual(await records.list(alertConversations, {}), [conversation]);
      assert.equal(await records.get(alertChannels, { id: made.id + 1 }), null);
    });

    it('of a numbered kind get a number that is never given again', async () => {
      const [first, second] = [await newChannel(), await newChannel()];
      assert.deepEqual(await records.write([remove(alertChannels, { id: second.id })]), [true]);
      const third = await newChannel();
      assert.ok(first.id < second.id && second.id < third.id);
    });

    it('are inserted once per key', async () => {
      const arm = { projectId, ruleId: 1, errorId: '7', fired: 1, armed: false, belowSince: null };
      const results = await Promise.all(
        [1, 2, 3].map((fired) => records.write([insert(alertArms, { ...arm, fired })])),
      );
      const inserted = results.map(([row]) => row).filter((row) => row !== null);
      assert.equal(inserted.length, 1);
      assert.deepEqual(await records.list(alertArms, { projectId }), inserted);
    });

    it('are put by their key, also for the first time at once', async () => {
      const arms = [1, 2, 3, 4].map((fired) => ({
        ...{ projectId, ruleId: 2, errorId: '7', fired, armed: fired > 2, belowSince: fired },
      }));
      assert.deepEqual(await Promise.all(arms.map((arm) => records.write([put(alertArms, arm)]))), [[true], [true], [true], [true]]); // prettier-ignore
      const [kept, ...more] = await records.list(alertArms, { projectId });
      assert.deepEqual(more, []);
      assert.ok(arms.some((arm) => arm.fired === kept?.fired && arm.armed === kept.armed));
    });

    it('are put many at once, in their order, also for the first time by two', async () => {
      const arms = Array.from({ length: 230 }, (_, at) => ({
        ...{ projectId, ruleId: 4, errorId: String(1000 + at), fired: at, armed: true, belowSince: null },
      }));
      const last = { ...arms[0]!, fired: 900 };
      const writes = [...arms.map((arm) => put(alertArms, arm)), put(alertArms, last)];
      const written = await Promise.all([records.write(writes), records.write(writes.toReversed())]);
      assert.ok(written.every((results) => results.length === writes.length && results.every((done) => done)));
      assert.deepEqual((await records.list(alertArms, { projectId })).slice(1), arms.slice(1));
      await records.write([
        ...writes,
        remove(alertArms, { projectId, ruleId: 4, errorId: '1001' }),
        ...writes.slice(2),
      ]);
      assert.deepEqual(await records.list(alertArms, { projectId }), [last, ...arms.slice(2)]);
    });

    it('are changed and removed only while they have the expected values', async () => {
      const { id } = await newChannel();
      const swap = (from: string, to: string) => change(alertChannels, { id }, { sealed: to }, { sealed: from });
      const swaps = await Promise.all(['b', 'c', 'd'].map((to) => records.write([swap('a', to)])));
      assert.equal(swaps.filter(([changed]) => changed).length, 1);
      assert.deepEqual(await records.write([swap('a', 'e')]), [false]);
      assert.deepEqual(await records.write([change(alertChannels, { id }, {}, { projectId })]), [true]);
      assert.deepEqual(await records.write([change(alertChannels, { id }, {}, { projectId: projectId + 1 })]), [false]);
      assert.deepEqual(await records.write([remove(alertChannels, { id }, { is: { sealed: 'a' } })]), [false]);
      assert.deepEqual(await records.write([remove(alertChannels, { id }, { is: { disabledReason: null } })]), [true]);
      assert.deepEqual(await records.write([remove(alertChannels, { id })]), [false]);
    });

    const newUser = async (username: string): Promise<StoredUser> => {
      const flags = { admin: false, blocked: false, mustChangePassword: false, emailConfirmed: false };
      const signOn = { passwordAllowed: null, signedOnAt: null };
      const row = {
        ...flags,
        ...signOn,
        username,
        name: 'n',
        email: null,
        passwordHash: 'x',
        sessionEpoch: 4,
        createdAt: 5,
      };
      const [made] = await records.write([insert(users, row)]);
      assert.ok(made !== null);
      return made;
    };

    it('are found by the values of a unique order, which no other row has, texts in any case', async () => {
      const ada = await newUser('Ada');
      assert.deepEqual(await records.find(users, { username: 'aDA' }), ada);
      assert.equal(await records.find(users, { username: 'ad' }), null);
      const { id: _id, ...taken } = { ...ada, username: 'ADA' };
      assert.deepEqual(await records.write([insert(users, taken)]), [null]);
      const hash = '0aff'.repeat(16);
      const times = { createdAt: 5, expiresAt: null, revokedAt: null, lastUsedAt: null };
      const token = { userId: ada.id, name: 't', description: null, hash, scopes: ['api' as const], ...times };
      const [made] = await records.write([insert(tokens, token)]);
      assert.deepEqual(await records.find(tokens, { hash }), made);
      assert.deepEqual(await records.write([insert(tokens, token)]), [null]);
    });

    it('are patched, or begin with the other values, also for the first time at once', async () => {
      const set = [{ apiUrl: 'https://a.test' }, { projectName: 'a' }, { active: true }, { integrated: false }];
      const key = { projectId };
      const writes = set.map((each) => records.write([patch(settings, key, each, DEFAULT_SETTINGS)]));
      assert.deepEqual(await Promise.all(writes), [[true], [true], [true], [true]]);
      const stored = { ...DEFAULT_SETTINGS, ...Object.assign({}, ...set), projectId };
      assert.deepEqual(await records.get(settings, key), stored);
      assert.deepEqual(await records.write([patch(settings, key, {}, DEFAULT_SETTINGS)]), [true]);
      assert.deepEqual(await records.get(settings, key), stored);
    });

    it('have numbers that are added to, and times that only move forward', async () => {
      const { id } = await newUser('ann');
      const more = (usedAt: number) => ({ add: { sessionEpoch: 1 }, max: { createdAt: usedAt } });
      const results = await Promise.all(
        [7, 9, 3].map((at) => records.write([change(users, { id }, { name: 'm' }, {}, more(at))])),
      );
      assert.deepEqual(results, [[true], [true], [true]]);
      const { name, sessionEpoch, createdAt } = (await records.get(users, { id })) ?? {};
      assert.deepEqual([name, sessionEpoch, createdAt], ['m', 7, 9]);
      assert.deepEqual(await records.write([change(users, { id: id + 1 }, {}, {}, more(1))]), [false]);
    });

    it('are removed by a condition, all of them or but the newest', async () => {
      const [ann, bob] = [await newUser('ann'), await newUser('bob')];
      const session = (userId: number, usedAt: number): StoredSession => ({
        ...{ hash: `${userId}${usedAt}`.padStart(64, '0'), userId, epoch: 4, createdAt: 1, usedAt, endsAt: 9 },
        ...{ browser: null, address: null, secondFactor: false },
        ...{ identityId: null, checkedAt: null, providerSession: null, sealedGrant: null },
      });
      const rows = [4, 2, 8, 6].map((usedAt) => session(ann.id, usedAt));
      await records.write([...rows, session(bob.id, 1)].map((row) => insert(webSessions, row)));
      const left = { newest: 'usedAt', keep: 1, besides: { hash: rows[1]?.hash ?? '' } } as const;
      assert.deepEqual(await records.write([removeAll(webSessions, { userId: ann.id }, left)]), [true]);
      const usedAt = async (userId: number) => (await records.list(webSessions, { userId })).map((row) => row.usedAt);
      assert.deepEqual(await usedAt(ann.id), [2, 8]);
      assert.deepEqual(await records.write([removeAll(webSessions, { userId: ann.id }, left)]), [false]);
      assert.deepEqual(await records.write([removeAll(webSessions, { userId: ann.id })]), [true]);
      assert.deepEqual([await usedAt(ann.id), await usedAt(bob.id)], [[], [1]]);
    });

    it('are listed by key, those of a condition alone', async () => {
      const users = [12, 3, 7];
      for (const [at, name] of ['ann', 'bob', 'cy'].entries()) {
        const user = { username: `${name}-${projectId}`, name, admin: false, passwordHash: 'x' };
        users[at] = (await harness.store.createUser(user)).id;
      }
      const other = (await makeProject(harness.store)).id;
      const keys = [other, projectId].flatMap((id) => users.map((userId) => ({ projectId: id, userId })));
      await records.write([...keys].reverse().map((key) => put(favourites, key)));
      const own = keys.filter((key) => key.projectId === projectId).sort((a, b) => a.userId - b.userId);
      assert.deepEqual(await records.list(favourites, { projectId }), own);
      assert.deepEqual(
        (await records.list(favourites, { userId: users[0] ?? 0 })).map((row) => row.projectId),
        [projectId, other].sort((a, b) => a - b),
      );
      assert.deepEqual(await records.list(favourites, { projectId, userId: -1 }), []);
    });

    it('are listed in parts, and by some members alone', async () => {
      const made = [await newChannel(), await newChannel(), await newChannel()];
      const rows = made.map(({ id, name }) => ({ id, name }));
      const only = ['id', 'name'] as const;
      assert.deepEqual(await records.list(alertChannels, { projectId }, { only }), rows);
      assert.deepEqual(await records.list(alertChannels, { projectId }, { only, skip: 1, limit: 1 }), [rows[1]]);
      assert.deepEqual(await records.list(alertChannels, { projectId }, { skip: 2 }), [made[2]]);
      assert.deepEqual(
        await records.list(alertChannels, { projectId }, { only: ['enabled', 'disabledReason'], limit: 1 }),
        [{ enabled: true, disabledReason: null }],
      );
      const arm = { projectId, ruleId: 1, errorId: '7', fired: 1, armed: false, belowSince: null };
      await records.write([insert(alertArms, arm)]);
      assert.deepEqual(await records.list(alertArms, { projectId }, { only: ['errorId'] }), [{ errorId: '7' }]);
    });

    it('are not written when a requirement does not hold, which is thrown', async () => {
      const room = required(fewer(alertChannels, { projectId }, 2), refusal);
      const add = () => records.write([insert(alertChannels, channel(projectId))], [room]);
      await add();
      await add();
      await assert.rejects(add(), { code: 'conflict', message: refusal.message });
      const user = { username: `marks-${projectId}`, name: 'M', admin: false, passwordHash: 'x' };
      const { id: userId } = await harness.store.createUser(user);
      const mark = (of: number) => {
        const key = { projectId: of, userId };
        return records.write([put(favourites, key)], [required(fewer(favourites, { userId }, 1, key), refusal)]);
      };
      assert.deepEqual(await mark(projectId), [true]);
      assert.deepEqual(await mark(projectId), [true], 'a row itself takes no room');
      await assert.rejects(mark((await makeProject(harness.store)).id), { code: 'conflict' });
      const known = required(exists(projects, { id: 99_999 }), refusal);
      const links = { projectId, repository: null, issueTracker: null, sealedToken: 't' };
      await assert.rejects(records.write([put(projectLinks, links)], [known]), { code: 'conflict' });
      assert.equal(await records.get(projectLinks, { projectId }), null);
      assert.equal((await records.list(alertChannels, { projectId })).length, 2);
    });

    it('are left out where a condition on another row does not hold', async () => {
      const { id } = await newChannel();
      const begin = (of: number) => {
        const row: Conversation = { destination: `channel:${of}`, ...CONVERSATION };
        return insert(alertConversations, row, { when: [exists(alertChannels, { id: of })] });
      };
      const [begun, lost] = await records.write([begin(id), begin(id + 1)]);
      assert.ok(begun !== null);
      assert.equal(lost, null);
      const end = { when: [absent(alertChannels, { id })] };
      const destination = `channel:${id}` as const;
      assert.deepEqual(await records.write([remove(alertConversations, { destination }, end)]), [false]);
      const ended = await records.write([
        remove(alertChannels, { id }),
        remove(alertConversations, { destination }, end),
      ]);
      assert.deepEqual(ended, [true, true]);
      assert.deepEqual(await records.list(alertConversations, {}), []);
    });

    it('go with the project that they belong to', async () => {
      await newChannel();
      await records.write([
        put(projectAlerts, { projectId, rules: [], lastRuleId: 4, poll: true }),
        put(projectLinks, { projectId, repository: null, issueTracker: null, sealedToken: 't' }),
      ]);
      assert.ok(await harness.store.deleteProject(projectId));
      assert.deepEqual(await records.list(alertChannels, {}), []);
      assert.deepEqual(await records.list(projectAlerts, {}), []);
      assert.deepEqual(await records.list(projectLinks, {}), []);
    });
  });
}
