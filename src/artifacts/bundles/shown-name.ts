import { cleanText } from '../../lib/text/clean-text.ts';

/** Returns a name from an upload as text for people: one line of 200 characters at most. */
export function shownName(name: string): string {
  return cleanText(name.slice(0, 200)).replaceAll(/\p{Cc}/gu, ' ');
}
