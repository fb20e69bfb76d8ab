import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { GrowingBatch } from '../../src/integrated/digest/digested-record.ts';
import { script, thrownThrough } from '../grouping/built-events.ts';
import { CommandPlace } from '../support/command-place.ts';
import { MemoryMaps } from '../support/map-source.ts';
import { mappingDigest } from '../support/mapping-digest.ts';
import { hexId, listAll, makeEvent, NOON, TestJournal } from '../support/store-data.ts';
import { describeOnEveryStore, SQLITE } from '../support/test-stores.ts';
import { record } from '../unit/integrated/digest/digest-support.ts';

const projectOf = async (store: Store) => {
  const found = await store.projectByPath('acme/web');
  assert.ok(found !== null);
  return found.project;
};

describeOnEveryStore('an import of an error of events before their map, exported from', (kind, suite) => {
  suite.timeout(60_000);
  const folder = mkdtempSync(join(tmpdir(), 'errgate-mapped-'));
  const there = new CommandPlace(kind, folder, 'there');
  const [here, elsewhere] = [new CommandPlace(SQLITE, folder, 'here'), new CommandPlace(SQLITE, folder, 'elsewhere')];
  after(async () => {
    for (const each of [there, here, elsewhere]) await each.remove();
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

  it('goes on with it where a part of the event was mapped, also in a project with another number', async () => {
    await there.done('project', 'create', 'acme/parts');
    const found = await (await there.open()).projectByPath('acme/parts');
    assert.ok(found !== null);
    const maps = new MemoryMaps();
    const [main, cart] = [
      script('index-BvYxf9r1', [['e', '../../src/main.js', 'start', 3]]),
      script('cart-zUTjjcm1', [['t', '../../src/cart.js', 'readCost', 6]]),
    ];
    const digested = async (projectId: number, eventId: string) => {
      const body = JSON.stringify(thrownThrough([main, cart]));
      const batch = new GrowingBatch();
      batch.add(await mappingDigest(maps)(record(body, { projectId, eventId, receivedAt: NOON })));
      return batch.finish().events;
    };
    maps.add({ projectId: found.project.id, debugId: main.debugId, bytes: main.map });
    await new TestJournal(await there.open()).apply(await digested(found.project.id, hexId('partly')));
    await there.done('export', '--to', join(folder, 'parts'), '--project', 'acme/parts');
    for (const path of ['acme/first', 'acme/second']) await elsewhere.done('project', 'create', path);
    await elsewhere.done('import', '--from-export', join(folder, 'parts'));
    const store = await elsewhere.open();
    const imported = await store.projectByPath('acme/parts');
    assert.ok(imported !== null);
    const { project } = imported;
    assert.notEqual(project.id, found.project.id);
    for (const { debugId, map } of [main, cart]) maps.add({ projectId: project.id, debugId, bytes: map });
    await new TestJournal(store).apply(await digested(project.id, hexId('whole')));
    assert.deepEqual((await listAll(store, project)).map(({ count }) => count), [2]); // prettier-ignore
  });
});
