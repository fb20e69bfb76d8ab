import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Store } from '../../../src/domain/ports/stores/store.ts';
import { openStore } from '../../../src/storage/open/open-store.ts';
import { useCliSandbox } from '../../support/cli-sandbox.ts';
import { FakeTarget } from '../../support/fake-target.ts';
import { fillInstance, fillProject, type FilledProject } from '../../support/fill-every-table.ts';
import { callServe } from '../../support/service-here.ts';
import { eventually } from '../../support/service-process.ts';
import { makeEvent, TestJournal } from '../../support/store-data.ts';

const PATH = 'acme/stays';
/** Client key that `fillProject` creates. */
const KEY = 'glet_of_acme_stays';

describe('errgate backup and restore of a project that moved in', function () {
  this.timeout(120_000);
  const sandbox = useCliSandbox();
  let target: FakeTarget;

  beforeEach(async () => {
    target = await FakeTarget.start();
  });
  afterEach(() => target.close());

  async function inStore<T>(work: (store: Store) => Promise<T>): Promise<T> {
    const dataDir = sandbox.current.env['ERRGATE_DATA_DIR'] ?? '';
    const store = await openStore({ url: 'sqlite:', dataDir });
    try {
      return await work(store);
    } finally {
      await store.close();
    }
  }

  /** What people see of the imported errors, and what goes on with them. */
  async function readAll(store: Store, { project, apart, merged }: FilledProject) {
    const ids = [...apart, merged];
    const now = Date.now();
    return {
      errors: await Promise.all(ids.map((id) => store.errorById(project.id, id, now))),
      origins: await Promise.all(ids.map((id) => store.importedOrigin(project.id, id))),
      sources: await store.listImportSources(null),
      states: await store.listImportStates(''),
      known: await store.knownThere(project.id, merged, now),
    };
  }

  it('keeps history, aliases, numbers and the forward, and goes on with them', async () => {
    const errgate = sandbox.current;
    Object.assign(errgate.env, { ERRGATE_OUTBOUND_ALLOW: '127.0.0.1' });
    await errgate.done('project', 'create', 'acme/first');
    // The forward's DSN is encrypted with it.
    writeFileSync(join(errgate.dataDir, 'secret.key'), `${'ab'.repeat(32)}\n`, { mode: 0o600 });
    const filled = await inStore(async (store) => {
      const made = await fillProject(store, PATH, await fillInstance(store));
      await store.reserveErrorNumbers(4711);
      return made;
    });
    await errgate.done('forward', 'set', '--project', PATH, '--dsn', target.dsn);
    const before = await inStore((store) => readAll(store, filled));
    const forwards = await errgate.list('forward', 'list');
    assert.equal(forwards.length, 1);
    const file = join(errgate.folder, 'backup.db');
    await errgate.done('backup', file, '--with-secrets');

    errgate.env = { ...errgate.env, ERRGATE_DATA_DIR: join(errgate.folder, 'elsewhere') };
    await errgate.done('restore', file);
    assert.deepEqual(await inStore((store) => readAll(store, filled)), before);
    assert.deepEqual(await errgate.list('forward', 'list'), forwards);

    const service = await callServe(errgate.env);
    try {
      const url = `${await service.url()}/api/${filled.project.id}/envelope/?sentry_key=${KEY}`;
      const eventId = 'e'.repeat(32);
      const body = `{"event_id":"${eventId}"}\n{"type":"event"}\n{"message":"after the restore"}`;
      const answer = await fetch(url, { method: 'POST', body });
      assert.equal(answer.status, 200, await answer.text());
      await eventually(
        () => Promise.resolve(target.eventIds),
        (ids) => ids.has(eventId),
      );
    } finally {
      await service.end();
    }

    await inStore(async (store) => {
      const { project, merged } = filled;
      const [, , apart = ''] = filled.apart;
      const count = async (id: string) => (await store.errorById(project.id, id, Date.now()))?.count ?? 0;
      const counts = [await count(apart), await count(merged)];
      const events = ['comes later', 'joins', 'new'].map((group) =>
        makeEvent(project, `next of ${group}`, { group, at: Date.now() }),
      );
      const result = await new TestJournal(store, 'goes on').apply(events);
      assert.deepEqual(result, { kind: 'applied', stored: 3, duplicates: 0, newErrors: 1 });
      await store.rollUpMerged();
      assert.deepEqual(
        [await count(apart), await count(merged)],
        counts.map((each) => each + 1),
      );
      const numbers = (await store.errorsToLookUp(project.id, '4711', 10)).map(({ errorId }) => Number(errorId));
      assert.equal(numbers.length, 2, 'new errors have numbers above the reserved ones');
    });
  });
});
