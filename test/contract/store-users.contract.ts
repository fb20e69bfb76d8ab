import assert from 'node:assert/strict';
import { MAX_EVENTS_FOR_USERS } from '../../src/domain/events/tracked-event.ts';
import { encodePayload } from '../support/encode-payload.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import {
  errorOf,
  hexId,
  makeEvent,
  makeProject,
  NOON,
  normalisedEvent,
  TestJournal,
  type EventSpec,
} from '../support/store-data.ts';

export function newestUsersContract(harness: () => StoreHarness): void {
  describe('users in the newest events of an error', () => {
    const payload = (name: string, id: string | null, extra = {}) => {
      const user = { id, username: null, email: null, name: null, ip_address: null, data: {} };
      return encodePayload({ ...normalisedEvent(hexId(name)), user: id === null ? null : user, extra });
    };
    const by = (id: string | null, spec: EventSpec = {}): EventSpec => ({ ...spec, payload: payload('x', id) });

    it('are listed newest first, without events that name no user and those of other errors', async () => {
      const { store } = harness();
      const [project, other] = [await makeProject(store), await makeProject(store)];
      await new TestJournal(store).apply([
        makeEvent(project, 'a', by('ada', { at: NOON - 3 })),
        makeEvent(project, 'b', by(null, { at: NOON - 2 })),
        makeEvent(project, 'c', by('bob', { at: NOON - 4 })),
        makeEvent(project, 'd', by('ada', { at: NOON - 1 })),
        makeEvent(project, 'e', by('eve', { group: 'another' })),
        makeEvent(other, 'f', by('eve')),
      ]);
      const { id } = await errorOf(store, project);
      const users = (await store.newestUsers(project.id, id)) ?? assert.fail();
      assert.deepEqual(
        users.map(({ user, at, eventId }) => [user.id, at, eventId]),
        [
          ['ada', NOON - 1, hexId(`${project.id} d`)],
          ['ada', NOON - 3, hexId(`${project.id} a`)],
          ['bob', NOON - 4, hexId(`${project.id} c`)],
        ],
      );
      assert.equal(await store.newestUsers(other.id, id), null);
      assert.equal(await store.newestUsers(project.id, '0'), null);
    });

    it('include those of all merged errors', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      await new TestJournal(store).apply([
        makeEvent(project, 'a', by('ada', { group: 'one', at: NOON - 2 })),
        makeEvent(project, 'b', by('bob', { group: 'two', at: NOON - 1 })),
      ]);
      const [one, two] = [await errorOf(store, project, 'one'), await errorOf(store, project, 'two')];
      await store.mergeErrors(project.id, [one.id, two.id]);
      for (const { id } of [one, two]) {
        const users = (await store.newestUsers(project.id, id)) ?? assert.fail();
        assert.deepEqual(
          users.map(({ user }) => user.id),
          ['bob', 'ada'],
        );
      }
    });

    it('come from a bounded number of events, and from fewer where they are large', async () => {
      const { store } = harness();
      const project = await makeProject(store);
      const many = Array.from({ length: MAX_EVENTS_FOR_USERS + 5 }, (_, index) =>
        makeEvent(project, `m${index}`, by(`user ${index}`, { group: 'many', at: NOON + index })),
      );
      // Hexadecimal digits of hashes: half of it stays when it is compressed. Of repeated letters next to nothing does.
      const noise = Array.from({ length: 12_000 }, (_, index) => hexId(`noise ${index}`)).join('');
      const large = Object.entries({ large: noise, repeated: 'a'.repeat(384_000) }).flatMap(([group, text]) =>
        Array.from({ length: 5 }, (_, index) =>
          makeEvent(project, `${group} ${index}`, {
            group,
            at: NOON + index,
            payload: payload('x', `user ${index}`, { text }),
          }),
        ),
      );
      await new TestJournal(store).apply([...many, ...large]);
      const count = async (group: string) =>
        (await store.newestUsers(project.id, (await errorOf(store, project, group)).id))?.length;
      assert.equal(await count('many'), MAX_EVENTS_FOR_USERS);
      assert.equal(await count('large'), 3);
      assert.equal(await count('repeated'), 3);
    });
  });
}
