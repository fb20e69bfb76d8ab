import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { CommandPlace } from '../support/command-place.ts';
import { listAll, makeEvent, TestJournal } from '../support/store-data.ts';
import { describeOnEveryStore, SQLITE } from '../support/test-stores.ts';

const projectOf = async (store: Store) => {
  const found = await store.projectByPath('acme/web');
  assert.ok(found !== null);
  return found.project;
};

describeOnEveryStore('an import of an error of events before their map, exported from', (kind, suite) => {
  suite.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'errgate-mapped-'));
  const [there, here] = [new CommandPlace(kind, folder, 'there'), new CommandPlace(SQLITE, folder, 'here')];
  after(async () => {
    for (const each of [there, here]) await each.remove();
    rmSync(folder, { recursive: true, force: true });
  });

  it('goes on with it by the same mapped events alone', async () => {
    await there.done('project', 'create', 'acme/web');
    const web = await projectOf(await there.open());
    const sent = makeEvent(web, 'sent', { group: 'sent' });
    const mapped = (name: string, group: string) =>
      makeEvent(web, name, { group, groupingVersion: 2, sentGroupHashes: [sent] });
    await new TestJournal(await there.open()).apply([sent, mapped('first', 'original')]);
    await there.done('export', '--to', join(folder, 'web'));
    await here.done('import', '--from-export', join(folder, 'web'));
    const store = await here.open();
    assert.equal((await projectOf(store)).id, web.id);
    await new TestJournal(store).apply([mapped('another', 'another original'), mapped('second', 'original')]);
    assert.deepEqual((await listAll(store, web)).map(({ count }) => count).sort(), [1, 3]); // prettier-ignore
  });
});
