/**
 * What lists cost with the kept totals of merged errors, and what they would cost if totals were added up at each
 * read: `[ERRGATE_TEST_MONGODB_URI=…] node --import=tsx bench/merged-errors.ts`. 10,000 errors, of which 200 are merged
 * into 20; then 5,000 more into one, as pointers that an import may make.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Connection } from 'mongoose';
import type { Store } from '../src/domain/ports/stores/store.ts';
import type { ErrorQuery, ErrorSort } from '../src/domain/search/error-query.ts';
import { foldGroup } from '../src/storage/merge/group.ts';
import { batchCollections } from '../src/storage/mongo/batch/mongo-collections.ts';
import { distinctUsers } from '../src/storage/mongo/merging/distinct-users.ts';
import { toMember, type MemberDocument } from '../src/storage/mongo/merging/members.ts';
import { openStore } from '../src/storage/open/open-store.ts';
import { SqliteDatabase } from '../src/storage/sqlite/engine/database.ts';
import { machineName } from './measure/machine.ts';
import { seedStore } from './measure/seed.ts';
import { median } from './measure/statistics.ts';
import { mongoStore, withConnection } from './measure/stores.ts';

const ROUNDS = 5;
const READS = 2;
const ERRORS = 10_000;
const GROUPS = 20;
const MEMBERS = 10;
const ALIASES = 5000;
const SORTS: readonly ErrorSort[] = ['last_seen', 'users'];

const query = (sort: ErrorSort): ErrorQuery => {
  const any = { search: null, environment: null, release: null, level: null, cursor: null };
  return { ...any, status: 'unresolved', sort, limit: 20 };
};

interface Subject {
  readonly name: string;
  readonly store: Store;
  /** Points `ids` to the root without the bound of requests. */
  readonly point: (projectId: number, root: number, ids: readonly number[]) => Promise<unknown>;
  /** Adds up what is shown of every merged error of the project; distinct users where `users`. */
  readonly addUp: (projectId: number, users: boolean) => Promise<unknown>;
}

async function measure(subject: Subject): Promise<void> {
  const { store, point } = subject;
  const { id } = await store.createProject({ path: 'bench/merged', name: 'bench', visibility: 'private' });
  await seedStore(store, id, { errors: ERRORS, events: 2 * ERRORS });
  const ids = await idsOf(store, id);
  for (let group = 0; group < GROUPS; group += 1) {
    await store.mergeErrors(id, ids.slice(group * MEMBERS, (group + 1) * MEMBERS).map(String));
  }
  await report(subject, id, `${GROUPS * MEMBERS} errors merged into ${GROUPS}`, ids[0] ?? 0);
  const [root = 0, ...aliases] = ids.slice(1000, 1001 + ALIASES);
  await point(id, root, aliases);
  const from = performance.now();
  await store.rollUpMerged();
  console.log(`${subject.name}: first roll-up of ${ALIASES} pointers ${(performance.now() - from).toFixed(0)} ms`);
  await report(subject, id, `and ${ALIASES} into one more`, root);
}

/** Numbers of all errors, ascending. */
async function idsOf(store: Store, projectId: number): Promise<number[]> {
  const ids: number[] = [];
  for (let cursor: string | null = null; ;) {
    const page = await store.listErrors(projectId, { ...query('first_seen'), limit: 100, cursor }, Date.now());
    ids.push(...page.items.map((error) => Number(error.id)));
    cursor = page.next;
    if (cursor === null) return ids.sort((a, b) => a - b);
  }
}

async function report({ name, store, addUp }: Subject, id: number, what: string, root: number): Promise<void> {
  const timed: Record<string, () => Promise<unknown>> = {};
  for (const sort of SORTS) {
    timed[`list by ${sort}, as it is`] = () => store.listErrors(id, query(sort), Date.now());
    timed[`what a list by ${sort} would add`] = () => addUp(id, sort === 'users');
  }
  timed['roll-up with nothing to do'] = () => store.rollUpMerged();
  timed['details of a merged error'] = () => store.errorById(id, String(root), Date.now());
  const samples = new Map(Object.keys(timed).map((key) => [key, [] as number[]]));
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [key, work] of Object.entries(timed)) {
      const from = performance.now();
      let failures = 0;
      for (let read = 0; read < READS; read += 1) await work().catch(() => (failures += 1));
      if (round > 0) samples.get(key)?.push(failures === 0 ? (performance.now() - from) / READS : Infinity);
    }
  }
  for (const [key, values] of samples) {
    const ms = median(values);
    console.log(`${name}, ${what}: ${key} ${ms === Infinity ? 'is not answered' : `${ms.toFixed(2)} ms`}`);
  }
}

async function embedded(dataDir: string): Promise<void> {
  const store = await openStore({ url: 'sqlite:', dataDir });
  const db = new SqliteDatabase(join(dataDir, 'errgate.db'), { cacheKib: 16_384 });
  const sums = `SELECT merged_into, sum(count), min(first_seen), max(last_seen), title, culprit, message, type, level,
    platform, last_release FROM errors WHERE merged_into IS NOT NULL AND project_id = ? GROUP BY merged_into`;
  const people = `SELECT m.merged_into, count(DISTINCT u.user_hash) FROM errors m JOIN error_users u ON u.error_id = m.id
    WHERE m.merged_into IS NOT NULL AND m.project_id = ? GROUP BY m.merged_into`;
  await measure({
    name: 'embedded',
    store,
    point: (projectId, root, ids) => {
      const sql = `UPDATE errors SET merged_into = ? WHERE project_id = ? AND id IN (SELECT value FROM json_each(?))`;
      db.run(sql, root, projectId, JSON.stringify([root, ...ids]));
      return Promise.resolve(
        db.run(
          `INSERT INTO error_groups (id, project_id, status, count, user_count, member_users, members, first_seen,
          last_seen, level, platform, title, search_text) SELECT id, project_id, status, 0, 0, 0, '[]', first_seen,
          last_seen, level, platform, title, '' FROM errors WHERE id = ?`,
          root,
        ),
      );
    },
    addUp: (projectId, users) => {
      db.all(sums, projectId);
      return Promise.resolve(users ? db.all(people, projectId) : null);
    },
  });
  db.connection.close();
  await store.close();
}

async function onMongo(uri: string, dataDir: string): Promise<void> {
  const fresh = mongoStore(uri);
  const store = await openStore({ url: fresh.url, dataDir });
  try {
    console.log(await fresh.database?.engine());
    await withConnection(fresh.url, async (connection: Connection) => {
      const { errors, errorUsers } = batchCollections(connection);
      await measure({
        name: 'mongodb',
        store,
        point: (p, root, ids) => errors.updateMany({ p, id: { $in: [root, ...ids] } }, { $set: { into: root } }),
        addUp: async (p, users) => {
          const rows = (await errors.find({ p, into: { $gte: 1 } }, MEMBER, 'local')) as unknown as MemberDocument[];
          const groups = new Map<number, MemberDocument[]>();
          rows.forEach((row) => groups.set(row.into ?? 0, [...(groups.get(row.into ?? 0) ?? []), row]));
          for (const members of groups.values()) {
            foldGroup(members.map(toMember));
            if (users && members.length <= MEMBERS) await distinctUsers(errorUsers, members);
          }
        },
      });
    });
  } finally {
    await store.close();
    await fresh.remove();
  }
}

const MEMBER = { p: 1, id: 1, st: 1, c: 1, u: 1, first: 1, last: 1, rcv: 1, res: 1, into: 1, env: 1, rel: 1 };

console.log(machineName());
const uri = process.env['ERRGATE_TEST_MONGODB_URI'];
for (const run of [embedded, ...(uri === undefined ? [] : [(dir: string) => onMongo(uri, dir)])]) {
  const dataDir = mkdtempSync(join(tmpdir(), 'errgate-bench-merged-'));
  await run(dataDir).finally(() => rmSync(dataDir, { recursive: true, force: true }));
}
