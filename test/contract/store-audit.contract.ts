import assert from 'node:assert/strict';
import { auditTime, firstAuditId, INSTANCE, type AuditEvent } from '../../src/domain/audit/audit-event.ts';
import type { AuditEnd, AuditQuery } from '../../src/domain/ports/stores/audit-store.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { auditEvent } from '../support/audit-data.ts';
import { DAY, NOON } from '../support/store-data.ts';
import type { StoreHarness } from '../support/store-harness.ts';
import { KEEP, pruneAll } from '../support/prune-all.ts';

const ALL: AuditQuery = {
  ...{ entity: null, authorId: null, event: null, outcome: null },
  ...{ from: null, below: null, limit: 100 },
};

/** Ids of the events of a query, relative to those of a time. */
async function found(store: Store, query: Partial<AuditQuery>): Promise<number[]> {
  const events = await store.listAuditEvents({ ...ALL, ...query });
  return events.map(({ id }) => id - firstAuditId(NOON));
}

export function auditContract(harness: () => StoreHarness): void {
  describe('audit log', () => {
    const add = async (store: Store, ...events: readonly AuditEvent[]) => {
      for (const event of events) assert.equal(await store.addAuditEvent(event), true);
    };

    it('has each event as it was written, once', async () => {
      const { store, other } = harness();
      const event = auditEvent(0, { details: { changes: [{ name: 'role', from: null, to: 'owner' }], tokenId: 7 } });
      await add(store, event);
      assert.equal(await store.addAuditEvent({ ...event, authorName: 'somebody else' }), false, 'the id is taken');
      assert.deepEqual(await (await other()).listAuditEvents(ALL), [event]);
      assert.equal(auditTime(event), NOON);
    });

    it('completes a started event once, and changes no other one', async () => {
      const { store } = harness();
      const started = auditEvent(1, { outcome: 'started', entityType: 'User', entityId: 3 });
      const done = auditEvent(2);
      await add(store, started, done);
      const end: AuditEnd = {
        ...{ outcome: 'done', details: { changes: [{ name: 'path', from: null, to: 'a/b' }] } },
        ...{ entityType: 'Project', entityId: 9, entityPath: 'a/b', targetId: '9', targetName: 'a/b' },
      };
      assert.equal(await store.endAuditEvent(started.id, end), true);
      assert.equal(await store.endAuditEvent(started.id, { ...end, outcome: 'failed' }), false);
      assert.equal(await store.endAuditEvent(done.id, end), false);
      assert.equal(await store.endAuditEvent(1, end), false);
      assert.deepEqual(await store.listAuditEvents(ALL), [done, { ...started, ...end }]);
    });

    it('lists the newest first, by entity, author, event, outcome and time, a part at a time', async () => {
      const { store } = harness();
      await add(
        store,
        auditEvent(10, { entityId: 1, authorId: 5 }),
        auditEvent(11, { entityId: 2, authorId: 5, event: 'member_added' }),
        auditEvent(12, { entityId: 1, authorId: 6, outcome: 'refused' }),
        auditEvent(13, { entityType: 'User', entityId: 1, authorId: null }),
        auditEvent(14, { entityType: INSTANCE.type, entityId: null, authorId: 5 }),
      );
      const ofProject = { entity: { type: 'Project', id: 1 } } as const;
      assert.deepEqual(await found(store, {}), [14, 13, 12, 11, 10]);
      assert.deepEqual(await found(store, ofProject), [12, 10]);
      assert.deepEqual(await found(store, { entity: INSTANCE }), [14]);
      assert.deepEqual(await found(store, { authorId: 5 }), [14, 11, 10]);
      assert.deepEqual(await found(store, { ...ofProject, authorId: 5 }), [10]);
      assert.deepEqual(await found(store, { event: 'member_added' }), [11]);
      assert.deepEqual(await found(store, { ...ofProject, outcome: 'refused' }), [12]);
      const first = firstAuditId(NOON);
      assert.deepEqual(await found(store, { from: first + 11, below: first + 14 }), [13, 12, 11]);
      assert.deepEqual(await found(store, { ...ofProject, below: first + 12 }), [10]);
      assert.deepEqual(await found(store, { limit: 2 }), [14, 13]);
    });

    it('stays when its project is deleted, and is removed by age alone', async () => {
      const { store } = harness();
      const project = await store.createProject({ path: 'acme/audited', name: 'a', visibility: 'private' });
      const old = auditEvent(0, { id: firstAuditId(NOON - DAY), entityId: project.id });
      await add(store, old, auditEvent(0, { entityId: project.id }));
      await store.deleteProject(project.id);
      assert.deepEqual(await found(store, {}), [0, old.id - firstAuditId(NOON)]);
      await pruneAll(store, KEEP);
      assert.equal((await store.listAuditEvents(ALL)).length, 2);
      await pruneAll(store, { ...KEEP, auditBefore: NOON });
      assert.deepEqual(await found(store, {}), [0]);
    });
  });
}
