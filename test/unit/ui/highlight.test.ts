import assert from 'node:assert/strict';
import { plainLines } from '../../../ui/src/lib/highlight/code-lines.ts';
import { highlight } from '../../../ui/src/lib/highlight/highlight.ts';
import { HOSTILE_TEXTS } from '../../support/browser-seed.ts';

const LANGUAGES = ['go', 'java', 'javascript', 'php', 'python', 'ruby', 'rust', 'typescript'];
const textOf = (lines: Awaited<ReturnType<typeof highlight>>) =>
  lines.map((line) => line.map(({ text }) => text).join('')).join('\n');

describe('colours of source code', () => {
  it('are given to what a language knows', async () => {
    const [line = []] = await highlight(`const total = "x" + 12; // sum`, 'javascript');
    assert.deepEqual(
      line.filter(({ kind }) => kind !== null).map(({ text, kind }) => [text, kind]),
      [
        ['const', 'keyword'],
        ['"x"', 'string'],
        ['12', 'number'],
        ['// sum', 'comment'],
      ],
    );
  });

  it('change no character of anything, hostile text included, in any language', async () => {
    const code = [...HOSTILE_TEXTS, '/* open', '"""doc', '<?php echo 1 ?>', '`${a}`'].join('\n');
    for (const language of LANGUAGES) {
      assert.equal(textOf(await highlight(code, language)), code, language);
      for (const text of HOSTILE_TEXTS) assert.equal(textOf(await highlight(text, language)), text, language);
    }
  });

  it('keep lines apart that a comment or a text spans', async () => {
    const lines = await highlight('a = """one\ntwo\nthree"""', 'python');
    assert.equal(lines.length, 3);
    assert.ok(lines.every((line) => line.some(({ kind }) => kind === 'string')));
  });

  it('are left out for languages that are not known, inherited names included, and for very long code', async () => {
    for (const language of ['cobol', 'constructor', '__proto__']) {
      assert.deepEqual(await highlight('let x', language), plainLines('let x'));
    }
    const long = 'let x = 1;\n'.repeat(6000);
    assert.ok((await highlight(long, 'javascript')).every((line) => line.every(({ kind }) => kind === null)));
  });
});
