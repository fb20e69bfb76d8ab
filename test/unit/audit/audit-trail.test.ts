import assert from 'node:assert/strict';
import { AuditTrail, type AuditEntry } from '../../../src/audit/audit-trail.ts';
import { AppError } from '../../../src/domain/app-error.ts';
import { firstAuditId, type AuditEvent } from '../../../src/domain/audit/audit-event.ts';
import { fakeLogger } from '../../support/fake-logger.ts';

const ENTRY: AuditEntry = {
  event: 'member_added',
  author: { id: 1, name: 'ada', address: '192.0.2.7' },
  entity: { type: 'Project', id: 7, path: 'acme/shop' },
  target: { type: 'Member', id: null, name: '' },
};

describe('writer of the audit log', () => {
  let rows: AuditEvent[];
  let warnings: string[];
  let away: boolean;
  let trail: AuditTrail;

  beforeEach(() => {
    [rows, warnings, away] = [[], [], false];
    const requireThere = () => {
      if (away) throw new AppError('store_unavailable', 'the store is away');
    };
    trail = new AuditTrail({
      store: {
        async addAuditEvent(event) {
          requireThere();
          if (rows.some(({ id }) => id === event.id)) return false;
          rows.push(event);
          return true;
        },
        async endAuditEvent(id, end) {
          requireThere();
          rows = rows.map((row) => (row.id === id ? { ...row, ...end } : row));
          return true;
        },
      },
      clock: { now: () => 1000 },
      logger: fakeLogger(() => (_bindings, message) => void warnings.push(message ?? '')),
    });
  });

  it('has a change before it is made, and its outcome afterwards', async () => {
    const made = await trail.around(
      ENTRY,
      async () => {
        assert.deepEqual(
          rows.map(({ outcome }) => outcome),
          ['started'],
        );
        return 3;
      },
      (id) => ({ target: { type: 'Member', id: String(id), name: 'bob' }, after: { role: 'owner' } }),
    );
    assert.equal(made, 3);
    const [event] = rows;
    assert.deepEqual([event?.outcome, event?.targetId, event?.targetName], ['done', '3', 'bob']);
    assert.deepEqual(event?.details, { changes: [{ name: 'role', from: null, to: 'owner' }] });
  });

  it('says that a change failed, or was refused, and claims no values', async () => {
    const entry = { ...ENTRY, before: { role: 'guest' } };
    const fail = (error: Error) =>
      assert.rejects(
        trail.around(entry, () => Promise.reject(error)),
        error,
      );
    await fail(new AppError('conflict', 'the path is taken'));
    await fail(new AppError('forbidden', 'the role is higher than your own'));
    await fail(new TypeError('a fault'));
    assert.deepEqual(
      rows.map(({ outcome, details }) => [outcome, details]),
      [
        ['failed', { changes: [], code: 'conflict' }],
        ['refused', { changes: [], code: 'forbidden' }],
        ['failed', { changes: [], code: 'internal' }],
      ],
    );
  });

  it('makes no change that it cannot write', async () => {
    away = true;
    let changed = false;
    const change = async () => {
      changed = true;
    };
    await assert.rejects(trail.around(ENTRY, change), { code: 'store_unavailable' });
    assert.equal(changed, false);
    await assert.rejects(trail.record(ENTRY), { code: 'store_unavailable' });
  });

  it('leaves a change as started whose outcome it cannot write, and the change succeeds', async () => {
    const change = async () => {
      away = true;
      return 'made';
    };
    assert.equal(await trail.around(ENTRY, change), 'made');
    assert.deepEqual(
      rows.map(({ outcome }) => outcome),
      ['started'],
    );
    assert.match(warnings[0] ?? '', /the outcome of a change is not in the audit log/);
  });

  it('has a change also where its result cannot be read', async () => {
    await trail.around(
      ENTRY,
      async () => undefined,
      () => Promise.reject(new Error('gone')),
    );
    assert.deepEqual([rows[0]?.outcome, warnings.length], ['done', 1]);
  });

  it('gives events of one millisecond ids in their order, also beside another process', async () => {
    rows.push({ id: firstAuditId(1000) } as AuditEvent);
    await trail.record(ENTRY);
    await trail.record(ENTRY);
    assert.deepEqual(
      rows.map(({ id }) => id - firstAuditId(1000)),
      [0, 1, 2],
    );
  });
});
