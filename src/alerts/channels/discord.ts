import { cutText } from '../../lib/text/clean-text.ts';
import { markdownText } from '../event-text.ts';
import { type MessageWords, type PartWords, repeatNote } from '../words.ts';
import type { ChatOptions } from './chat-options.ts';
import { fitted, namedOf, SHOW_ALL } from './fit.ts';
import { levelColour } from './level-looks.ts';
import { partMarkdown } from './markdown-lines.ts';

/** Characters of an embed's description that Discord takes. */
const MAX_DESCRIPTION = 4096;
/** Characters of a message's own text that Discord takes. */
const MAX_CONTENT = 2000;
/** Characters of all embeds together that Discord takes. */
const MAX_EMBEDS = 6000;
/** Embeds per message that Discord takes. */
const MAX_EMBED_COUNT = 10;

interface Embed {
  readonly title: string;
  readonly url: string;
  readonly description: string;
  readonly color: number;
  readonly timestamp: string;
}

function embeds(words: MessageWords, named: number, timestamp: string): Embed[] {
  const parts: PartWords[] = namedOf(words.parts, named).slice(0, MAX_EMBED_COUNT);
  return parts.map((part) => ({
    title: SHOW_ALL,
    url: part.url,
    description: partMarkdown(part, parts.length === 1),
    color: Number.parseInt(levelColour(words.level).slice(1), 16),
    timestamp,
  }));
}

function fits(built: readonly Embed[]): boolean {
  const sum = built.reduce((characters, { title, description }) => characters + title.length + description.length, 0);
  return sum <= MAX_EMBEDS && built.every(({ description }) => description.length <= MAX_DESCRIPTION);
}

/** Body for a webhook of Discord; `at`: time of the newest fact. No mention in it rings, whatever its text. */
export function discordBody(words: MessageWords, at: number, { mayRepeat }: ChatOptions): object {
  const lines = [words.note, repeatNote(mayRepeat)].flatMap((line) => (line === null ? [] : [markdownText(line)]));
  const timestamp = new Date(at).toISOString();
  return {
    content: cutText([`**${markdownText(words.headline)}**`, ...lines].join('\n'), MAX_CONTENT),
    embeds: fitted(words, (named) => embeds(words, named, timestamp), fits),
    allowed_mentions: { parse: [] },
  };
}
