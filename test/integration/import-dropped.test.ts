import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CommandPlace } from '../support/command-place.ts';
import { EVERYTHING, listAll } from '../support/store-data.ts';
import { fill, numbers, START } from '../support/store-to-export.ts';
import { SQLITE } from '../support/test-stores.ts';

describe('errgate import --from-export after errors were deleted here with their events dropped', () => {
  it('brings none of them back, nor what belongs to them, and says so without calling them left out', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'errgate-dropped-'));
    const [from, to] = [new CommandPlace(SQLITE, folder, 'from'), new CommandPlace(SQLITE, folder, 'to')];
    try {
      await from.done('project', 'create', 'acme/first');
      await fill(await from.open());
      await from.done('export', '--to', join(folder, 'all'));
      await to.done('import', '--from-export', join(folder, 'all'));
      const store = await to.open();
      const shop = (await store.projectByPath('acme/shop'))?.project;
      assert.ok(shop !== undefined);
      const before = await listAll(store, shop, EVERYTHING, START);
      // A merged one, and one with a note and an activity log.
      const ids = before.filter(({ title }) => /^word[abd] /.test(title)).map(({ id }) => id);
      assert.equal(ids.length, 2);
      assert.equal(await store.deleteErrors(shop.id, ids, true, null, START), 2);
      const left = await numbers(store);
      assert.equal(left.length, before.length - 2);
      const text = await to.done('import', '--from-export', join(folder, 'all'), '--json');
      // A merged one is two in an export.
      const said = JSON.parse(text) as Record<string, unknown>;
      assert.deepEqual([said['imported'], said['complete'], said['dropped']], [0, true, 3]);
      // An assignee is no member here, which the dropped errors have nothing to do with.
      const leftOuts = said['left_outs'] as readonly { readonly what: string }[];
      assert.deepEqual(
        leftOuts.map(({ what }) => what),
        ['assignee'],
      );
      assert.match(String(said['dropped_first']), /^(error \d+,){2}error \d+$/);
      assert.deepEqual(await numbers(store), left);
      const shown = await to.done('import', '--from-export', join(folder, 'all'));
      assert.match(shown, /3 errors were not imported: deleted here, with further events dropped \(error \d+, /);
    } finally {
      for (const each of [from, to]) await each.remove();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
