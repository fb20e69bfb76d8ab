import { DAY_MS } from '../durations.ts';

/** Bounds of a time, both inclusive, in milliseconds since the epoch; null: no bound. */
export interface SeenRange {
  readonly after: number | null;
  readonly before: number | null;
}

/** Forms of a range of times, for messages. */
export const SEEN_FORMS = '-24h, +7d, >2026-11-20, 2026-11-20 or 2026-11-01..2026-11-20';

const UNITS_MS: Readonly<Record<string, number>> = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 };

const RELATIVE = /^([-+])(\d{1,6})([mhdw])$/;
const DATE = /^\d{4}-\d{2}-\d{2}$/;
const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})?$/;

/** First and last millisecond of a day in UTC, or of a single instant. */
interface Span {
  readonly start: number;
  readonly end: number;
}

function spanOf(text: string, now: number): Span | null {
  const [, sign, number, unit] = RELATIVE.exec(text) ?? [];
  if (unit !== undefined) {
    if (sign !== '-') return null;
    const at = now - Number(number) * (UNITS_MS[unit] ?? 0);
    return { start: at, end: at };
  }
  const isDay = DATE.test(text);
  if (!isDay && !TIME.test(text)) return null;
  const start = Date.parse(isDay || /(Z|[+-]\d{2}:\d{2})$/.test(text) ? text : `${text}Z`);
  if (Number.isNaN(start)) return null;
  // Date.parse takes 30 February for a day of March.
  if (new Date(Date.parse(`${text.slice(0, 10)}T00:00Z`)).toISOString().slice(0, 10) !== text.slice(0, 10)) return null;
  return { start, end: isDay ? start + DAY_MS - 1 : start };
}

/**
 * Reads a range of times: `-24h` (within the last 24 hours), `+7d` (more than seven days ago), a day or time in UTC,
 * one after `>`, `>=`, `<` or `<=`, or two with `..` between them, of which one may be missing. Null for other texts.
 */
export function parseSeen(text: string, now: number): SeenRange | null {
  const [, sign, number, unit] = RELATIVE.exec(text) ?? [];
  if (unit !== undefined) {
    const at = now - Number(number) * (UNITS_MS[unit] ?? 0);
    return sign === '-' ? { after: at, before: null } : { after: null, before: at };
  }
  const dots = text.indexOf('..');
  if (dots !== -1) {
    const [from, to] = [text.slice(0, dots), text.slice(dots + 2)];
    const [start, end] = [spanOf(from, now), spanOf(to, now)];
    if ((from !== '' && start === null) || (to !== '' && end === null) || (from === '' && to === '')) return null;
    return { after: start?.start ?? null, before: end?.end ?? null };
  }
  const [, compare = '', rest = ''] = /^([<>]=?)?(.*)$/s.exec(text) ?? [];
  const span = spanOf(rest, now);
  if (span === null || (compare === '' && rest.startsWith('-'))) return null;
  switch (compare) {
    case '>':
      return { after: span.end + 1, before: null };
    case '>=':
      return { after: span.start, before: null };
    case '<':
      return { after: null, before: span.start - 1 };
    case '<=':
      return { after: null, before: span.end };
    default:
      return { after: span.start, before: span.end };
  }
}
