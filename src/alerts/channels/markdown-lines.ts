import { codeSpan, markdownText } from '../event-text.ts';
import { type ErrorWords, moreInWords, type PartWords } from '../words.ts';

/** An error in Markdown: text of events only in code spans. */
function errorLines(error: ErrorWords): string[] {
  const reason = error.reason === null ? '' : `, ${error.reason}`;
  return [
    `**[${error.label}](${error.url})**${reason}`,
    codeSpan(error.title),
    ...(error.message === null ? [] : [codeSpan(error.message)]),
    [error.size, ...error.places.map(codeSpan)].join(' · '),
  ];
}

/**
 * Returns the text of a part in Markdown, as Mattermost and Discord read it. Its list is linked from the title above.
 * `isOne`: the headline is elsewhere.
 */
export function partMarkdown(part: PartWords, isOne: boolean): string {
  const more = moreInWords(part, part.errors.length);
  return [
    ...(isOne ? [] : [`**${markdownText(part.headline)}**`]),
    ...(part.release === null ? [] : [`Release ${codeSpan(part.release)}`]),
    ...part.errors.flatMap((error) => ['', ...errorLines(error)]),
    ...(more === null ? [] : ['', more]),
  ]
    .join('\n')
    .trim();
}
