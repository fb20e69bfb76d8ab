import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { buildOnce } from '../../support/cli-process.ts';

const UI = join(import.meta.dirname, '..', '..', '..', 'dist', 'ui');
/** Compressed bytes of scripts that the first page may load. */
const BUDGET = 130 * 1024;

/** Text of a file of the build, which keeps large ones compressed. */
function read(file: string): string {
  const path = join(UI, file);
  return existsSync(path) ? readFileSync(path, 'utf8') : gunzipSync(readFileSync(`${path}.gz`)).toString();
}

/** A script and all that it loads before it runs; what it loads on demand does not count. */
function withImports(file: string, seen = new Set<string>()): Set<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, name = ''] of read(file).matchAll(/(?:\bfrom|\bimport)\s*["']\.\/([\w.-]+\.js)["']/g)) {
    withImports(`assets/${name}`, seen);
  }
  return seen;
}

describe('the built pages', function () {
  this.timeout(120_000);
  before(() => buildOnce());

  it('load at most 130 KB of compressed scripts for the first page', () => {
    const [, entry = ''] = /<script type="module"[^>]* src="\.\/([^"]+)"/.exec(read('index.html')) ?? [];
    const pages = readdirSync(join(UI, 'assets')).filter((file) =>
      /^(SignInPage|StartPage|ErrorListPage|ErrorPage)-.*\.js(\.gz)?$/.test(file),
    );
    assert.equal(pages.length, 4);
    for (const page of pages) {
      const files = [...withImports(entry), ...withImports(`assets/${page.replace(/\.gz$/, '')}`)];
      const bytes = [...new Set(files)].reduce((sum, file) => sum + gzipSync(read(file)).length, 0);
      assert.ok(files.length > 2 && bytes > 20_000, 'the scripts were found');
      assert.ok(bytes <= BUDGET, `${page}: ${bytes} bytes`);
    }
  });

  it('hold no inline script or style, and name no other host', () => {
    const html = read('index.html');
    assert.doesNotMatch(html, /<script(?![^>]* src=)|<style|\sstyle=|\son\w+=|https?:/);
    assert.match(html, /<base href="__BASE__"/);
  });

  it('keep every larger file in two compressions, and no copy of it', () => {
    const files = readdirSync(join(UI, 'assets'));
    const packed = files.filter((file) => file.endsWith('.gz')).map((file) => file.slice(0, -3));
    assert.ok(packed.length > 10);
    for (const file of packed) assert.ok(files.includes(`${file}.br`) && !files.includes(file), file);
    const plain = files.filter((file) => /\.(js|css)$/.test(file));
    assert.deepEqual(
      plain.filter((file) => read(`assets/${file}`).length >= 1024),
      [],
    );
  });
});
