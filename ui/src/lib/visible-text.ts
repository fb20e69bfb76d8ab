/**
 * Invisible characters and those that change the text direction: shown by their code, because they can deceive readers.
 * Joiners stay, because emoji and scripts need them; so do line breaks and tabs.
 */
const INVISIBLE =
  /(?!\t|\n|\r|\u200c|\u200d)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0)/gu;

/** Joiners, marks and blanks alone leave nothing to see. */
const INK = /[^\s\p{M}\p{Cf}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function codeOf(character: string): string {
  return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** Text of strangers as it may be shown. What holds nothing to see becomes `(blank)`. */
export function visibleText(text: string): string {
  const shown = text.replace(INVISIBLE, codeOf);
  return INK.test(shown) ? shown : '(blank)';
}

/** The same, cut to `max` units between two characters as people see them; a cut is marked. */
export function visibleExcerpt(text: string, max: number): string {
  const shown = visibleText(text.slice(0, max * 2));
  if (shown.length <= max) return shown;
  let end = 0;
  for (const { index } of graphemes.segment(shown.slice(0, max + 1))) {
    if (index < max) end = index;
  }
  return `${shown.slice(0, end)}…`;
}

/** `tabindex` of a box with a bounded height: what may be too long for it can be scrolled by keyboard. */
export function scrollStop(text: string): 0 | undefined {
  return text.length > 200 || text.split('\n').length > 8 ? 0 : undefined;
}
