/**
 * Invisible characters and those that change the text direction. They are shown as codes, because they can deceive
 * readers. Joiners stay, because emoji and scripts need them; line breaks and tabs stay too.
 */
const INVISIBLE =
  /(?!\t|\n|\r|\u200c|\u200d)(?:[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0)/gu;

/** Visible characters: anything but joiners, marks and blanks. */
const INK = /[^\s\p{M}\p{Cf}]/u;

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function codeOf(character: string): string {
  return `‹U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}›`;
}

/** Makes text from events safe to display. Text without a visible character becomes `(blank)`. */
export function visibleText(text: string): string {
  const shown = text.replace(INVISIBLE, codeOf);
  return INK.test(shown) ? shown : '(blank)';
}

/** Like `visibleText`, cut to `max` UTF-16 units at a character boundary, with an ellipsis. */
export function visibleExcerpt(text: string, max: number): string {
  const shown = visibleText(text.slice(0, max * 2));
  if (shown.length <= max) return shown;
  let end = 0;
  for (const { index } of graphemes.segment(shown.slice(0, max + 1))) {
    if (index < max) end = index;
  }
  return `${shown.slice(0, end)}…`;
}

/** `tabindex` of a box with limited height. Long content needs it for scrolling by keyboard. */
export function scrollStop(text: string): 0 | undefined {
  return text.length > 200 || text.split('\n').length > 8 ? 0 : undefined;
}
