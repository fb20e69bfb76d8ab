import { cutText } from '../lib/text/clean-text.ts';
import { BREAKS, LINK, UNSEEN } from '../lib/text/unseen-text.ts';

/** Maximum characters of a title in messages. */
export const MAX_TITLE = 150;
/** Maximum characters of an error's message in messages. */
export const MAX_MESSAGE = 300;
/** Maximum characters of a release, environment or place in messages. */
export const MAX_DETAIL = 100;
/** Maximum characters of the sentence of a test, heartbeat or trouble, which may quote a receiver. */
export const MAX_NOTE = 1000;

/** Dotted name, such as `shop.example.com` or `cart.service.ts`; some clients take other full stops as dots. */
const NAME = /[\p{L}\p{N}_-]+(?:[.。．｡][\p{L}\p{N}_-]+)+/gu;
/**
 * Top-level domains at which clients make links of names. Left out: those that are endings of files, such as `py`, `rs`,
 * `sh`, `md`, `pl`, `zip`, or usual properties, such as `name`, `id`.
 */
const TLD =
  /^(?:com|net|org|info|biz|edu|gov|mil|io|co|me|dev|app|xyz|online|site|website|space|shop|store|top|club|live|link|click|page|web|cloud|tech|pro|fun|icu|vip|win|bid|loan|life|world|today|news|buzz|email|host|press|agency|support|help|security|finance|bank|money|de|uk|fr|nl|eu|ru|su|cn|jp|kr|br|es|pt|ch|at|be|se|dk|fi|cz|us|ca|au|nz|za|mx|ar|tr|ua|il|ir|ng|tv|ly|gl|gg|to|tk|ga|cf|gq|pw|ws|vu|nu|fm|cx|xn--[a-z0-9-]+|[^\x00-\x7f]{2,})$/iu;
/** Endings of files that are no top-level domains, so that folders and imports stay as they are. */
const FILE = /^(?:[cm]?[jt]sx?|json|java|jar|php|html?|css|cpp|vue)$/i;
/** Namespaces of languages, `System.IO`; the domains are not for sale. */
const NAMESPACE = /^(?:System|java)[.][a-z]+$/i;

/** Breaks a name that a client would turn into a link; `rest`: the text behind it. */
function withoutHost(name: string, rest: string): string {
  const labels = name.split(/[.。．｡]/u);
  const last = labels.at(-1) ?? '';
  const hasPath = /^(?::\d+)?(?:\/|\?\w)/.test(rest) && /^\p{L}[\p{L}\p{N}-]+$/u.test(last) && !FILE.test(last);
  if (!hasPath && (!TLD.test(last) || NAMESPACE.test(name))) return name;
  return labels.reduce(
    (text, label, at) => `${text}.${TLD.test(label) || at === labels.length - 1 ? ' ' : ''}${label}`,
  );
}

function spelled(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}

/**
 * Makes text of an event, which anybody may have written, fit for one line of a message: unseen characters are spelled
 * out (`\u202e`), and what a client would turn into a link is broken by a blank, also names of hosts. At most `max` characters.
 */
export function plainText(text: string, max: number): string {
  // Spelling makes text longer, never shorter, so the rest cannot be needed.
  const line = text
    .slice(0, 4 * max)
    .trim()
    .replace(BREAKS, ' ');
  const inert = line
    .replace(UNSEEN, spelled)
    .replace(LINK, (part) => `${part} `)
    .replace(NAME, (name, at: number, whole: string) =>
      withoutHost(name, whole.slice(at + name.length, at + name.length + 10)),
    );
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
