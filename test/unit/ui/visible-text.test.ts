import assert from 'node:assert/strict';
import { visibleExcerpt, visibleText } from '../../../ui/src/lib/visible-text.ts';

describe('untrusted text', () => {
  it('shows by its code what cannot be seen or turns the direction', () => {
    assert.equal(visibleText('a\u200Bb'), 'a‹U+200B›b');
    assert.equal(visibleText('\u202Egnp.exe'), '‹U+202E›gnp.exe');
    assert.equal(visibleText('\uFEFF\u2066x\u2069'), '‹U+FEFF›‹U+2066›x‹U+2069›');
    assert.equal(visibleText('bell\u0007'), 'bell‹U+0007›');
    assert.equal(visibleText('\u{E0041}'), '‹U+E0041›');
  });

  it('leaves letters, emoji, line breaks and markup as they are', () => {
    for (const text of ['<b>&amp;</b>', 'می‌خواهم', '👩‍👩‍👧‍👦 🏳️‍🌈', 'line\n\tline', 'é e\u0301', '日本語']) {
      assert.equal(visibleText(text), text);
    }
  });

  it('names what holds nothing to see', () => {
    for (const text of ['', '   \n', '\u200C\u200D', '\u0301']) assert.equal(visibleText(text), '(blank)');
  });

  it('cuts between characters as people see them', () => {
    assert.equal(visibleExcerpt('short', 10), 'short');
    assert.equal(visibleExcerpt('abcdef', 4), 'abc…');
    assert.equal(visibleExcerpt('ab👩‍👩‍👧‍👦cdefghijkl', 6), 'ab…');
    assert.equal(visibleExcerpt('x'.repeat(10_000), 400).length, 400);
  });
});
