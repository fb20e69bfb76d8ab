import type { Protection } from '../../api/projects-api.ts';
import { wholeNumber } from '../../lib/numbers.ts';

type Allowed = Protection['limits']['key']['events'];

/** Parses names separated by line breaks or commas. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** Parses a whole number from 1, with or without thousands separators. Null when empty, undefined when invalid. */
export function rateIn(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const number = /^(?:\d+|\d{1,3}(?:[ ,]\d{3})+)$/.test(typed) ? Number(typed.replaceAll(/[ ,]/g, '')) : 0;
  return number >= 1 ? number : undefined;
}

/** Formats a limit. */
export function rateText(allowed: Allowed): string {
  if (allowed === null) return 'no limit';
  return `${wholeNumber(allowed.per_minute)} a minute, up to ${wholeNumber(allowed.burst)} at once`;
}
