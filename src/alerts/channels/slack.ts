import { type ErrorWords, type MessageWords, moreInWords, type PartWords, repeatNote } from '../words.ts';
import type { ChatOptions } from './chat-options.ts';
import { fitted, namedOf, SHOW_ALL } from './fit.ts';

/** Maximum characters of a header. */
const MAX_HEADER = 150;
/** Slack refuses blocks with about 13,200 characters of text together. */
const MAX_BLOCKS = 12_000;

/** Elements of a section: their text is shown as it is, without mentions, links and formats. */
type Element =
  | { readonly type: 'text'; readonly text: string; readonly style?: { readonly code?: true; readonly bold?: true } }
  | { readonly type: 'link'; readonly url: string; readonly text: string; readonly style?: { readonly bold: true } };

interface Section {
  readonly type: 'rich_text_section';
  readonly elements: readonly Element[];
}

const text = (content: string): Element => ({ type: 'text', text: content });
const code = (content: string): Element => ({ type: 'text', text: content, style: { code: true } });
const section = (...elements: Element[]): Section => ({ type: 'rich_text_section', elements });

function errorSection(error: ErrorWords): Section {
  const reason = error.reason === null ? [] : [text(`, ${error.reason}`)];
  const message = error.message === null ? [] : [text('\n'), code(error.message)];
  const places = error.places.flatMap((place) => [text(' · '), code(place)]);
  return section(
    text('\n'),
    { type: 'link', url: error.url, text: error.label, style: { bold: true } },
    ...reason,
    text('\n'),
    code(error.title),
    ...message,
    text(`\n${error.size}`),
    ...places,
    text('\n'),
  );
}

function partSections(part: PartWords, isOne: boolean): Section[] {
  const more = moreInWords(part, part.errors.length);
  return [
    ...(isOne ? [] : [section(text(`\n${part.headline}\n`))]),
    ...(part.release === null ? [] : [section(text('Release '), code(part.release), text('\n'))]),
    ...part.errors.map(errorSection),
    section(text(more === null ? '\n' : `\n${more}: `), { type: 'link', url: part.url, text: SHOW_ALL }),
  ];
}

function blocks(words: MessageWords, named: number, repeat: string | null): object[] {
  const parts = namedOf(words.parts, named);
  const sections = [
    ...[words.note, words.period].flatMap((line) => (line === null ? [] : [section(text(`${line}\n`))])),
    ...parts.flatMap((part) => partSections(part, parts.length === 1)),
    ...(repeat === null ? [] : [section(text(`\n${repeat}`))]),
  ];
  return [
    { type: 'header', text: { type: 'plain_text', text: words.headline.slice(0, MAX_HEADER), emoji: false } },
    ...(sections.length === 0 ? [] : [{ type: 'rich_text', elements: sections }]),
  ];
}

/** Escapes the text of notifications, where `<` begins mentions and links. */
function escaped(line: string): string {
  return line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Body for an incoming webhook of Slack. Text of events is only in elements that Slack shows as they are. */
export function slackBody(words: MessageWords, { mayRepeat }: ChatOptions): object {
  const repeat = repeatNote(mayRepeat);
  return {
    text: escaped(words.subject),
    mrkdwn: false,
    unfurl_links: false,
    unfurl_media: false,
    blocks: fitted(
      words,
      (named) => blocks(words, named, repeat),
      (built) => JSON.stringify(built).length <= MAX_BLOCKS,
    ),
  };
}
