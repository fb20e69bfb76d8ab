import { cutText } from '../../../lib/text/clean-text.ts';
import { BREAKS, LINK, UNSEEN } from '../../../lib/text/unseen-text.ts';

/** Variation selectors, which can carry hidden bytes. */
const SELECTORS = /[\ufe00-\ufe0f]/g;
/** Name and password in an address. */
const USER_OF_URL = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/)[^\s/?#"'<>@]*@/gi;
/** Query and fragment of an address, and the query of a path. */
const QUERY_OF_URL = /(\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s?#"'<>]*)[?#][^\s"'<>]*/gi;
const QUERY_OF_PATH = /((?:^|[\s"'(=])\/[^\s?#"'<>]*)\?[^\s"'<>]*/g;

function withinBytes(text: string, maxBytes: number): string {
  let cut = cutText(text, maxBytes);
  while (Buffer.byteLength(cut) > maxBytes) cut = cutText(cut, Math.floor(cut.length * 0.8));
  return cut;
}

/** Returns `eventLine` of a text, which takes at most `maxBytes` bytes in JSON, between its quotes. */
export function eventMember(text: string, maxBytes: number): string {
  let line = eventLine(text, maxBytes);
  while (Buffer.byteLength(JSON.stringify(line)) - 2 > maxBytes) line = cutText(line, Math.floor(line.length * 0.8));
  return line;
}

/**
 * Makes text of an event, which anybody may have written, fit for one line of an answer to an agent: without characters
 * that are not seen, without live Markdown, HTML and links, and without queries and passwords of addresses. At most `maxBytes` bytes,
 * which must be at least 10.
 */
export function eventLine(text: string, maxBytes: number): string {
  const seen = text
    .slice(0, 4 * maxBytes)
    .replace(BREAKS, ' ')
    .replace(UNSEEN, '')
    .replace(SELECTORS, '')
    .trim();
  const inert = seen
    .replace(USER_OF_URL, '$1…@')
    .replace(QUERY_OF_URL, '$1?…')
    .replace(QUERY_OF_PATH, '$1?…')
    .replace(LINK, (part) => `${part} `)
    .replaceAll('`', "'")
    .replace(/<(?=[^\s=])/g, '< ')
    .replace(/\](?=[([:])/g, '] ')
    .replace(/!(?=\[)/g, '! ');
  return inert === '' ? '(empty)' : withinBytes(inert, maxBytes);
}
