import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { buildOnce } from '../../support/cli-process.ts';

const UI = join(import.meta.dirname, '..', '..', '..', 'dist', 'ui');
/** Compressed bytes of scripts that the first page may load. */
const BUDGET = 130 * 1024;

const read = (file: string) => readFileSync(join(UI, file), 'utf8');

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
      /^(SignInPage|StartPage|ErrorListPage|ErrorPage)-.*\.js$/.test(file),
    );
    assert.equal(pages.length, 4);
    for (const page of pages) {
      const files = [...withImports(entry), ...withImports(`assets/${page}`)];
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

  it('have a smaller copy of every larger file beside it', () => {
    const files = readdirSync(join(UI, 'assets'));
    const large = files.filter((file) => /\.(js|css)$/.test(file) && read(`assets/${file}`).length >= 1024);
    assert.ok(large.length > 3);
    for (const file of large) assert.ok(files.includes(`${file}.br`) && files.includes(`${file}.gz`), file);
  });
});
