import { markdownText } from '../event-text.ts';
import { type MessageWords, repeatNote } from '../words.ts';
import type { ChatOptions } from './chat-options.ts';
import { fitted, namedOf, SHOW_ALL } from './fit.ts';
import { levelColour } from './level-looks.ts';
import { partMarkdown } from './markdown-lines.ts';

/** Mattermost takes posts of up to 16,383 characters; the rest is for names of members. */
const MAX_POST = 14_000;

function attachments(words: MessageWords, named: number): object[] {
  const parts = namedOf(words.parts, named);
  return parts.map((part) => ({
    fallback: markdownText(part.headline),
    color: levelColour(words.level),
    title: SHOW_ALL,
    title_link: part.url,
    text: partMarkdown(part, parts.length === 1),
    ...(words.period === null ? {} : { footer: words.period }),
  }));
}

/** Body for an incoming webhook of Mattermost. Mentions and formats of events are inert in code spans. */
export function mattermostBody(words: MessageWords, { mayRepeat }: ChatOptions): object {
  const lines = [words.note, repeatNote(mayRepeat)].flatMap((line) => (line === null ? [] : [markdownText(line)]));
  return {
    text: [`**${markdownText(words.headline)}**`, ...lines].join('\n'),
    attachments: fitted(
      words,
      (named) => attachments(words, named),
      (built) => JSON.stringify(built).length <= MAX_POST,
    ),
  };
}
