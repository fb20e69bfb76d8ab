import { SHOW_ALL } from '../channels/fit.ts';
import { type ErrorWords, type MessageWords, moreInWords, type PartWords } from '../words.ts';

function errorLines(error: ErrorWords): string[] {
  const reason = error.reason === null ? '' : `, ${error.reason}`;
  return [
    `* ${error.label}${reason}`,
    `  ${error.title}`,
    ...(error.message === null ? [] : [`  ${error.message}`]),
    `  ${[error.size, ...error.places].join(' · ')}`,
    `  ${error.url}`,
    '',
  ];
}

function partLines(part: PartWords, isOne: boolean): string[] {
  const more = moreInWords(part, part.errors.length);
  return [
    ...(isOne ? [] : [part.headline, '']),
    ...(part.release === null ? [] : [`Release ${part.release}`, '']),
    ...part.errors.flatMap(errorLines),
    ...(more === null ? [] : [more]),
    `${SHOW_ALL}: ${part.url}`,
    '',
  ];
}

/** Returns the text part of a mail. `footer`: why it was sent, and how to end that. */
export function mailText(words: MessageWords, footer: readonly string[]): string {
  const { parts } = words;
  const lines = [words.headline, words.period, words.note].filter((line) => line !== null);
  return [...lines, '', ...parts.flatMap((part) => partLines(part, parts.length === 1)), '-- ', ...footer, ''].join(
    '\n',
  );
}
