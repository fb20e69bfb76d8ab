import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditEvent } from '../../src/domain/audit/audit-event.ts';
import { artifactBundles, artifactMaps } from '../../src/storage/records/kinds/artifact-kinds.ts';
import { auditEvents } from '../../src/storage/records/kinds/audit-kinds.ts';
import { releaseCommits } from '../../src/storage/records/kinds/build-kinds.ts';
import { snakeCase, type AnyKind } from '../../src/storage/records/kind.ts';
import { KIND_NAMES, kindOf } from '../../src/storage/records/kinds.ts';
import { removeAll, type Condition } from '../../src/storage/records/writes.ts';
import { SqliteDatabase } from '../../src/storage/sqlite/engine/database.ts';
import type { SqliteStatement } from '../../src/storage/sqlite/engine/driver.ts';
import { listRecords, writeRecords } from '../../src/storage/sqlite/records/record-statements.ts';
import { placeEmptyStore } from '../support/empty-store.ts';
import { makeDataDir } from '../support/store-harness.ts';

/** Database that keeps the text of its statements. */
class HeardDatabase extends SqliteDatabase {
  readonly heard: string[] = [];

  override prepare(sql: string, forColumns = false): SqliteStatement {
    this.heard.push(sql);
    return super.prepare(sql, forColumns);
  }
}

/** Values of the first members of an order. */
function whereOf(kind: AnyKind, members: readonly string[]): Readonly<Record<string, number | string>> {
  const values = members.map((member) => {
    const { stored = 'text' } = kind.members[member] ?? {};
    return [member, stored === 'integer' ? 1 : 'ab'] as const;
  });
  return Object.fromEntries(values);
}

describe('lists of declared kinds in SQLite', () => {
  let dataDir: string;
  let db: HeardDatabase;

  before(async () => {
    dataDir = await makeDataDir();
    await placeEmptyStore(dataDir);
    db = new HeardDatabase(join(dataDir, 'errgate.db'), { cacheKib: 512 });
  });
  after(async () => {
    db.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  /** Runs one statement; returns how SQLite runs it. */
  function planOf(run: () => unknown): string {
    db.heard.length = 0;
    run();
    const [sql = ''] = db.heard;
    return db
      .all(`EXPLAIN QUERY PLAN ${sql}`)
      .map(({ detail }) => String(detail))
      .join('\n');
  }

  for (const kind of KIND_NAMES.map(kindOf)) {
    const orders = Object.entries({ ...kind.indexes, key: kind.key });
    it(`of ${kind.name} search each beginning of its orders by all members of it`, () => {
      for (const [name, order] of orders) {
        const members = order.map((member) => member.replace(/^-/, ''));
        for (let count = 1; count <= members.length; count += 1) {
          const some = members.slice(0, count);
          if (kind.key.every((member) => some.includes(member))) break;
          const where = whereOf(kind, some);
          const plan = planOf(() => listRecords(db, kind, where));
          const searched = some.map((member) => `${snakeCase(member)}=?`).join(' AND ');
          assert.ok(plan.includes(`(${searched})`), `${name}, ${some.join(', ')}: ${plan}`);
          const removal = planOf(() => writeRecords(db, [removeAll(kind, where)]));
          assert.ok(removal.includes(`(${searched})`), `removal, ${name}, ${some.join(', ')}: ${removal}`);
        }
      }
    });
  }

  it('read the newest rows from an index, a bounded number of them', () => {
    const part = { newest: 'uploadedAt', limit: 10 } as const;
    for (const where of [
      { projectId: 1, debugId: 'a' },
      { projectId: 1, release: 'a', dist: null, url: 'a' },
    ]) {
      const plan = planOf(() => listRecords(db, artifactMaps, where, part));
      assert.match(plan, /^SEARCH artifact_maps USING INDEX artifact_maps_newest_by_\w+ \(project_id=\? AND [^)]+\)$/);
    }
    const last = { newest: 'place', limit: 1 } as const;
    const plan = planOf(() => listRecords(db, releaseCommits, { projectId: 1, release: 'a' }, last));
    assert.equal(plan, 'SEARCH release_commits USING PRIMARY KEY (project_id=? AND release=?)');
  });

  it('of audit events read those of a time from an index, the newest first', () => {
    const also = { address: '192.0.2.7' };
    const part = { newest: 'id', from: 1, below: 9, also, limit: 20 } as const;
    const planFor = (where: Condition<AuditEvent>) => planOf(() => listRecords(db, auditEvents, where, part));
    const all = 'SEARCH audit_events USING PRIMARY KEY (id>? AND id<?)';
    assert.equal(planFor({}), all);
    const range = 'id>? AND id<?)';
    const search = 'SEARCH audit_events USING INDEX audit_events_of_';
    assert.equal(planFor({ authorId: 1 }), `${search}author (author_id=? AND ${range}`);
    assert.equal(planFor({ event: 'signed_in' }), `${search}event (event=? AND ${range}`);
    assert.equal(planFor({ outcome: 'failed' }), `${search}outcome (outcome=? AND ${range}`);
    const ofProject = { entityType: 'Project', entityId: 1 } as const;
    assert.equal(planFor(ofProject), `${search}entity (entity_type=? AND entity_id=? AND ${range}`);
  });

  it('of bundles read those of a part, and of all what an index has', () => {
    const newest = 'uploadedAt';
    for (const [where, index, searched] of [
      [{ projectId: 1 }, 'newest', 'project_id=?'],
      [{ projectId: 1, release: 'a' }, 'newest_of_release', 'project_id=? AND release=?'],
    ] as const) {
      const using = `INDEX artifact_bundles_${index} (${searched})`;
      const part = planOf(() => listRecords(db, artifactBundles, where, { newest, skip: 20, limit: 20 }));
      assert.equal(part, `SEARCH artifact_bundles USING ${using}`, 'nothing is sorted');
      const only = ['id', 'complete'] as const;
      const all = planOf(() => listRecords(db, artifactBundles, where, { newest, only }));
      assert.equal(all, `SEARCH artifact_bundles USING COVERING ${using}`);
    }
    const only = ['id', 'kind', 'storedBytes', 'complete', 'uploadedAt', 'lastUsedAt'] as const;
    const uses = planOf(() => listRecords(db, artifactBundles, { projectId: 1 }, { newest, only }));
    assert.match(uses, /USING COVERING INDEX artifact_bundles_newest /);
  });
});
