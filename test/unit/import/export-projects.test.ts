import assert from 'node:assert/strict';
import type { ExportReader } from '../../../src/import/files/export-reader.ts';
import { readExportProjects } from '../../../src/import/files/export-projects.ts';
import type { ProjectsReader } from '../../../src/import/tracker-reader.ts';
import { collect } from '../../support/reader-world.ts';

const signal = new AbortController().signal;

/** Export that has only these projects. */
function exportOf(...rows: readonly Record<string, unknown>[]): ExportReader {
  return {
    manifest: { errgate: '1.2.3' } as ExportReader['manifest'],
    hash: '',
    content: () => null,
    async *lines(part) {
      for (const [index, row] of rows.entries()) {
        if (part === 'projects') yield { row, text: '', place: `line ${index + 1} of projects.ndjson` };
      }
    },
  };
}

const SHOP = {
  ...{ id: '3', path: 'acme/shop', name: 'Shop', visibility: 'public', monitor: false, alias_ids: ['old', 7] },
  keys: [{ public_key: 'a' }, { public_key: 'b', active: false }, 'junk'],
};
const SITE = { id: 4, path: 'acme/site' };

describe('projects of an export', () => {
  it('come with their settings, ids in DSNs and keys, as those of a tracker', async () => {
    const { projects } = await readExportProjects(exportOf(SHOP, SITE), null);
    const reader: ProjectsReader = projects;
    assert.deepEqual([reader.kind, reader.version, reader.cannot], ['errgate', '1.2.3', []]);
    const [shop, site, ...others] = await collect(reader.projects(signal));
    assert.deepEqual(
      [shop?.id, shop?.slug, shop?.name, shop?.settings],
      [
        '3',
        'acme/shop',
        'Shop',
        { path: 'acme/shop', visibility: 'public', monitorEnabled: false, aliasIds: ['old', '7'] },
      ],
    );
    assert.deepEqual(
      [site?.id, site?.name, site?.settings?.visibility, site?.settings?.monitorEnabled, others],
      ['4', 'acme/site', 'private', true, []],
    );
    const keys = await collect(reader.keys('acme/shop', signal));
    assert.deepEqual(
      keys.map(({ publicKey, active }) => [publicKey, active]),
      [
        ['a', true],
        ['b', false],
      ],
    );
    assert.deepEqual(await collect(reader.keys('acme/site', signal)), []);
  });

  it('are chosen by path, else by its last segment', async () => {
    const other = { id: '5', path: 'other/shop' };
    const wanted = [
      { slug: 'acme/shop', path: 'new/place' },
      { slug: 'shop', path: null },
      { slug: 'no', path: null },
    ];
    const { projects } = await readExportProjects(exportOf(SHOP, SITE, other), wanted);
    assert.deepEqual(projects.chosen, [
      { slug: 'acme/shop', path: 'new/place', projectId: null },
      { slug: 'other/shop', path: null, projectId: null },
    ]);
    assert.deepEqual([[...projects.skipped], [...projects.missing]], [['4'], ['no']]);
  });

  it('are refused, with their line, without an id and under a path that no project can have', async () => {
    for (const [row, message] of [
      [{ ...SITE, id: '../1' }, /^line 2 of projects\.ndjson: the member "id"/],
      [{ ...SITE, path: 'a b' }, /^line 2 of projects\.ndjson: "a b" cannot be the path/],
      [{ id: '4' }, /^line 2 of projects\.ndjson: "" cannot be the path/],
    ] as const) {
      await assert.rejects(readExportProjects(exportOf(SHOP, row), null), { code: 'bad_request', message });
    }
    const named = await readExportProjects(exportOf({ ...SITE, path: 'a b' }), [{ slug: 'a b', path: 'a/b' }]);
    assert.equal(named.projects.chosen?.length, 1);
  });
});
