import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RefusedBundle } from '../../../../src/artifacts/bundles/bounds.ts';
import { openUpload } from '../../../../src/artifacts/bundles/open-upload.ts';
import { makeZip } from '../../../support/zip.ts';

const MAP = JSON.stringify({ version: 3, sources: ['a.ts'], names: [], mappings: 'AAAA' });

describe('an upload that is opened', () => {
  let folder: string;

  beforeEach(async () => (folder = await mkdtemp(join(tmpdir(), 'errgate-upload-'))));
  afterEach(() => rm(folder, { recursive: true }));

  async function open(form: 'bundle' | 'mapping', content: Uint8Array, bytes = content.length) {
    const path = join(folder, 'upload');
    await writeFile(path, content);
    await truncate(path, bytes);
    return openUpload({ path, form, debugId: null, outDir: folder, roomBytes: 1e9, tooLarge: [] }, () => undefined);
  }

  /** Opens a bundle of scripts by name; returns the problem of each. */
  async function problemsOf(scripts: Readonly<Record<string, string>>): Promise<(string | null)[]> {
    const entries = Object.entries(scripts).map(([name, code]) => ({ name, content: Buffer.from(code) }));
    const files = entries.map(({ name }) => [name, { type: 'minified_source', url: `~/${name}` }] as const);
    const manifest = Buffer.from(JSON.stringify({ files: Object.fromEntries(files) }));
    const head = Buffer.from('SYSB\x02\0\0\0');
    const zip = makeZip([...entries, { name: 'manifest.json', content: manifest }], head);
    return (await open('bundle', zip)).maps.map(({ problem }) => problem);
  }

  /** Bundle of a script with a map of so many bytes, which are zeros. */
  function withMap(bytes: number): Buffer {
    const manifest = {
      files: {
        'a.js': { type: 'minified_source', url: '~/a.js', headers: { sourcemap: 'a.js.map' } },
        'a.js.map': { type: 'source_map', url: '~/a.js.map' },
      },
    };
    return makeZip([
      { name: 'a.js', content: Buffer.from('a()') },
      { name: 'a.js.map', content: Buffer.alloc(bytes), deflate: true },
      // Content that cannot be deflated: the whole unpacks to less than 200 times its size.
      { name: 'random', content: randomBytes(400_000) },
      { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
    ]);
  }

  it('reads maps in the scripts themselves, and names those that are none', async () => {
    const reference = (address: string) => `a()\n//# sourceMappingURL=${address}`;
    const problems = await problemsOf({
      'text.js': reference(`data:application/json,${encodeURIComponent(MAP)}`),
      'base64.js': reference(`data:application/json;charset=utf-8;base64,${Buffer.from(MAP).toString('base64')}`),
      'broken.js': reference('data:application/json,%E0%A4%A'),
      'none.js': reference('data:text/plain,map'),
      'missing.js': reference('missing.js.map'),
    });
    assert.deepEqual(problems, [
      null,
      null,
      'the source map in its last line is no valid data address',
      'its source map is not in the upload',
      'its source map is not in the upload',
    ]);
  });

  it('leaves a map out that is larger than is read, before it is unpacked', async () => {
    const zip = withMap(60 * 1024 * 1024);
    const before = process.memoryUsage().arrayBuffers;
    const { maps } = await open('bundle', zip);
    assert.equal(maps[0]?.problem, 'the source map has 60 MB; at most 48 MB are read');
    assert.ok(process.memoryUsage().arrayBuffers - before < 30 * 1024 * 1024, 'its content was not read');
  });

  it('shows names of a bundle in one line', async () => {
    const manifest = { files: { 'a\r\n\u001b[31mb\ud800.js': { type: 'minified_source' } } };
    const zip = makeZip([{ name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) }]);
    await assert.rejects(open('bundle', zip), (error: unknown) => {
      assert.ok(error instanceof RefusedBundle);
      assert.equal(error.message, 'The manifest names "a   [31mb\ufffd.js", which is not in the bundle.');
      return true;
    });
  });

  it('is refused when its manifest has longer names than each of its maps may repeat', async () => {
    const manifest = (members: object, url = '~/a.js') =>
      makeZip([
        { name: 'a.js', content: Buffer.from('a()') },
        {
          name: 'manifest.json',
          content: Buffer.from(JSON.stringify({ files: { 'a.js': { type: 'minified_source', url } }, ...members })),
        },
      ]);
    const refused = (zip: Uint8Array, reason: string) =>
      assert.rejects(open('bundle', zip), (error: unknown) => {
        assert.ok(error instanceof RefusedBundle);
        assert.equal(error.message, reason);
        return true;
      });
    const tooLong = (subject: string, length: number, most: number) =>
      `${subject} in the manifest.json has ${length} characters, at most ${most} are accepted: use a shorter one.`;
    await refused(manifest({ release: 'r'.repeat(251) }), tooLong('The release', 251, 250));
    await refused(manifest({ release: 'r', dist: 'd'.repeat(65) }), tooLong('The dist', 65, 64));
    await refused(manifest({}, `~/${'u'.repeat(1999)}`), tooLong('The url of "a.js"', 2001, 2000));
    const longest = { release: 'r'.repeat(250), dist: 'd'.repeat(64) };
    const { release, dist, maps } = await open('bundle', manifest(longest, `~/${'u'.repeat(1998)}`));
    assert.deepEqual({ release, dist }, longest);
    assert.equal(maps[0]?.url?.length, 2000);
  });

  it('has names that every store can hold', async () => {
    const files = { 'a.js': { type: 'minified_source', url: '~/a\0.js' } };
    const manifest = { files, release: 'r\0\ud800', dist: '\0' };
    const { release, dist, maps } = await open(
      'bundle',
      makeZip([
        { name: 'a.js', content: Buffer.from('a()') },
        { name: 'manifest.json', content: Buffer.from(JSON.stringify(manifest)) },
      ]),
    );
    assert.deepEqual([release, dist, maps[0]?.url], ['r\ufffd', null, '~/a.js']);
  });

  it('is refused before it is read when it is one mapping beyond the bound', async () => {
    const before = process.memoryUsage().arrayBuffers;
    await assert.rejects(
      open('mapping', Buffer.from('a -> b:\n'), 300 * 1024 * 1024),
      (error: unknown) => error instanceof RefusedBundle && /has 300 MB; at most 64 MB are read/.test(error.message),
    );
    assert.ok(process.memoryUsage().arrayBuffers - before < 100 * 1024 * 1024, 'its content was not read');
  });
});
