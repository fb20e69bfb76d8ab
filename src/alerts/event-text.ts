import { cutText } from '../lib/clean-text.ts';

/** Maximum characters of a title in messages. */
export const MAX_TITLE = 150;
/** Maximum characters of an error's message in messages. */
export const MAX_MESSAGE = 300;
/** Maximum characters of a release, environment or place in messages. */
export const MAX_DETAIL = 100;
/** Maximum characters of the sentence of a test, heartbeat or trouble, which may quote a receiver. */
export const MAX_NOTE = 1000;

const BREAKS = /[\s\u0085]+/gu;
/**
 * Characters that are not seen or change what is seen: controls, direction marks, zero-width and tag characters, lone
 * surrogates. Variation selectors of emoji stay.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]|(?![\ufe00-\ufe0f])\p{Default_Ignorable_Code_Point}/gu;
/** What clients turn into links: addresses with a scheme, and `www.`. */
const LINK = /:(?=\/\/)|\bwww\.(?=\S)|\b(?:mailto|tel|javascript|data):(?=\S)/giu;

function spelled(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Makes text of an event, which anybody may have written, fit for one line of a message: unseen characters are spelled
 * out (`\u202e`), and what a client would turn into a link is broken by a blank. At most `max` characters.
 */
export function plainText(text: string, max: number): string {
  // Spelling makes text longer, never shorter, so the rest cannot be needed.
  const line = text
    .slice(0, 4 * max)
    .trim()
    .replace(BREAKS, ' ');
  const inert = line.replace(UNSEEN, spelled).replace(LINK, (part) => `${part} `);
  return inert === '' ? '(empty)' : cutText(inert, max);
}

/** Makes text for data formats: unseen characters but line breaks and tabs are spelled out. At most `max` characters. */
export function dataText(text: string, max: number): string {
  const inert = text
    .slice(0, 4 * max)
    .replace(UNSEEN, (character) => (/[\n\t]/.test(character) ? character : spelled(character)));
  return cutText(inert, max);
}

/**
 * Puts `plainText` into a code span of Markdown, in which neither mentions nor formats work. Backquotes would end it,
 * and some servers look for mentions everywhere, so both are changed.
 */
export function codeSpan(plain: string): string {
  return `\`${withoutMentions(plain.replaceAll('`', "'"))}\``;
}

/** Breaks mentions by a blank; `cart@2.4.1` is none. */
export function withoutMentions(text: string): string {
  return text.replace(/(?<![\p{L}\p{N}_])@(?=\S)/gu, '@ ');
}

/** Escapes our own text, such as the path of a project, for Markdown; breaks mentions. */
export function markdownText(text: string): string {
  return withoutMentions(text.replace(/[\\`*_~|<>[\]()#]/g, '\\$&'));
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, also within attributes. */
export function htmlText(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}
