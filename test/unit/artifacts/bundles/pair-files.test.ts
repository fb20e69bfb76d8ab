import assert from 'node:assert/strict';
import type { ManifestFile } from '../../../../src/artifacts/bundles/manifest.ts';
import { pairFiles } from '../../../../src/artifacts/bundles/pair-files.ts';

function file(url: string, type: ManifestFile['type'], sourceMap: string | null = null): ManifestFile {
  return { path: `files/${url}`, url, type, debugId: null, sourceMap };
}

const pairsOf = (files: readonly ManifestFile[]) =>
  pairFiles(files).map(({ minified, map }) => [minified?.url, map?.url]);

describe('files of an upload', () => {
  for (const folder of ['~/assets', 'https://shop.example/assets', '/var/task', 'dist', 'app:///build']) {
    it(`below ${folder} are paired with the maps that they name`, () => {
      const files = ['a', 'b'].flatMap((name) => [
        file(`${folder}/${name}.js`, 'minified_source', `${name}.js.map`),
        file(`${folder}/${name}.js.map`, 'source_map'),
      ]);
      assert.deepEqual(pairsOf(files), [
        [`${folder}/a.js`, `${folder}/a.js.map`],
        [`${folder}/b.js`, `${folder}/b.js.map`],
      ]);
    });
  }

  it('whose addresses are none are paired with no map', () => {
    const files = [
      file('https://[', 'minified_source', 'https://['),
      file('http://[', 'source_map'),
      file('~/a.js', 'minified_source', 'b.js.map'),
    ];
    assert.deepEqual(pairsOf(files), [
      ['https://[', undefined],
      ['~/a.js', undefined],
      [undefined, 'http://['],
    ]);
  });
});
