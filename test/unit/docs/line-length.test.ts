import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const LONGEST = 160;

function pagesBelow(folder: string): string[] {
  const files = readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' });
  return files.filter((file) => file.endsWith('.md')).map((file) => `${folder}/${file}`);
}

/** The line without targets of links, which cannot be broken: `[text](target)` and `[label]: target`. */
function withoutLinkTargets(line: string): string {
  return line.replace(/\]\([^()\s]+\)/g, ']').replace(/^(?:\[[^\]]+\]:)?\s*https?:\/\/\S+$/, '');
}

describe('the documentation', () => {
  const pages = ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', ...pagesBelow('docs')];

  it('has its pages', () => {
    assert.ok(pages.length > 15, pages.join());
    assert.ok(pages.includes('docs/running.md') && pages.includes('docs/adr/0001-journal.md'));
  });

  for (const page of pages) {
    it(`has no line over ${LONGEST} characters in ${page}`, () => {
      const lines = readFileSync(join(ROOT, page), 'utf8').split('\n');
      assert.deepEqual(
        lines.filter((line) => withoutLinkTargets(line).length > LONGEST),
        [],
      );
    });
  }
});
