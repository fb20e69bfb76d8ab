import type { Protection } from '../../api/projects-api.ts';
import { wholeNumber } from '../../lib/numbers.ts';

type Allowed = Protection['limits']['key']['events'];

/** Names as they are typed: one per line, or with commas between them. */
export function namesIn(text: string): string[] {
  return text
    .split(/[\n,]/)
    .map((name) => name.trim())
    .filter((name) => name !== '');
}

/** A whole number from 1, thousands set off or not; null for nothing, undefined for anything else. */
export function rateIn(text: string): number | null | undefined {
  const typed = text.trim();
  if (typed === '') return null;
  const number = /^(?:\d+|\d{1,3}(?:[ ,]\d{3})+)$/.test(typed) ? Number(typed.replaceAll(/[ ,]/g, '')) : 0;
  return number >= 1 ? number : undefined;
}

/** A limit as people read it. */
export function rateText(allowed: Allowed): string {
  if (allowed === null) return 'no limit';
  return `${wholeNumber(allowed.per_minute)} a minute, up to ${wholeNumber(allowed.burst)} at once`;
}
