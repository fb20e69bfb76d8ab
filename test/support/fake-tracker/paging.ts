/** Page of a sorted list, with the cursors of its neighbours. */
export interface Cut<T> {
  readonly items: readonly T[];
  readonly previous: string;
  readonly hasPrevious: boolean;
  readonly next: string;
  readonly hasNext: boolean;
}

export class CursorError extends Error {}

/** Index of a cursor `value:offset:isPrev` in a list sorted by descending score. */
function position(scores: readonly number[], value: number, offset: number): number {
  const start = scores.findIndex((score) => score <= value);
  return (start === -1 ? scores.length : start) + offset;
}

function sentryCursor(scores: readonly number[], index: number, isPrevious: boolean): string {
  const score = scores[Math.min(index, scores.length - 1)] ?? 0;
  const start = scores.findIndex((each) => each <= score);
  return `${score}:${scores.length === 0 ? 0 : Math.max(0, index - start)}:${isPrevious ? 1 : 0}`;
}

/** Cuts a page with Sentry's cursors, which hold a score and an offset among equal scores. */
export function cutSentry<T>(sorted: readonly T[], score: (item: T) => number, limit: number, cursor: string | null) {
  const scores = sorted.map(score);
  let [from, to] = [0, limit];
  if (cursor !== null) {
    const match = /^(-?\d+(?:\.\d+)?):(\d{1,9}):([01])$/.exec(cursor);
    if (match === null) throw new CursorError('Invalid cursor parameter.');
    const at = position(scores, Number(match[1]), Number(match[2]));
    [from, to] = match[3] === '1' ? [Math.max(0, at - limit), at] : [at, at + limit];
  }
  const cut: Cut<T> = {
    items: sorted.slice(from, to),
    previous: sentryCursor(scores, from, true),
    hasPrevious: from > 0 && sorted.length > 0,
    next: sentryCursor(scores, to, false),
    hasNext: to < sorted.length,
  };
  return cut;
}

/** Formats a position: times as GlitchTip's database prints them, smaller numbers as counts. */
function glitchTipPosition(score: number): string {
  if (score < 1e11) return String(score);
  return new Date(score).toISOString().replace('T', ' ').replace('Z', '000+00:00');
}

/** Cuts a page with GlitchTip's cursors: base64 of a form with position, reverse and offset. */
export function cutGlitchTip<T>(
  sorted: readonly T[],
  score: (item: T) => number,
  limit: number,
  cursor: string | null,
) {
  const scores = sorted.map(score);
  const encode = (index: number, reverse: boolean): string => {
    const value = scores[Math.min(index, scores.length - 1)] ?? 0;
    const offset = Math.max(0, index - scores.findIndex((each) => each <= value));
    const form = new URLSearchParams();
    if (reverse) form.set('r', '1');
    if (offset !== 0) form.set('o', String(offset));
    form.set('p', glitchTipPosition(value));
    return Buffer.from(form.toString()).toString('base64');
  };
  let [from, to] = [0, limit];
  if (cursor !== null) {
    const form = new URLSearchParams(Buffer.from(cursor, 'base64').toString('utf8'));
    const value = form.get('p') ?? '';
    const wanted = /^\d+$/.test(value) ? Number(value) : Date.parse(value.replace(' ', 'T'));
    if (!/^[A-Za-z0-9+/]+={0,2}$/.test(cursor) || Number.isNaN(wanted)) throw new CursorError('Invalid cursor');
    const at = position(scores, wanted, Number(form.get('o') ?? 0));
    [from, to] = form.get('r') === '1' ? [Math.max(0, at - limit), at] : [at, at + limit];
  }
  const cut: Cut<T> = {
    items: sorted.slice(from, to),
    previous: encode(from, true),
    hasPrevious: from > 0 && sorted.length > 0,
    next: encode(to, false),
    hasNext: to < sorted.length,
  };
  return cut;
}

/** Cuts a page with Urgentry's cursors: `0:<offset>:<isPrev>`. */
export function cutUrgentry<T>(sorted: readonly T[], limit: number, cursor: string | null): Cut<T> {
  const match = cursor === null ? ['', '0', '0'] : /^0:(\d{1,9}):([01])$/.exec(cursor);
  if (match === null) throw new CursorError('invalid cursor');
  const from = Number(match[1]);
  return {
    items: sorted.slice(from, from + limit),
    previous: `0:${Math.max(0, from - limit)}:1`,
    hasPrevious: from > 0,
    next: `0:${from + limit}:0`,
    hasNext: from + limit < sorted.length,
  };
}

const target = (url: URL, cursor: string): string => {
  const changed = new URL(url);
  changed.searchParams.set('cursor', cursor);
  return changed.href;
};

/** Builds a `Link` header like Sentry: both relations are always present. */
export function sentryLink(url: URL, cut: Cut<unknown>): string {
  const entry = (rel: string, results: boolean, cursor: string): string =>
    `<${target(url, cursor)}>; rel="${rel}"; results="${String(results)}"; cursor="${cursor}"`;
  return [entry('previous', cut.hasPrevious, cut.previous), entry('next', cut.hasNext, cut.next)].join(', ');
}

/** Builds a `Link` header like GlitchTip 5: a printed Python set, without a cursor for missing pages. */
export function glitchTipLink(url: URL, cut: Cut<unknown>): string {
  const entry = (rel: string, results: boolean, cursor: string): string =>
    results
      ? `<${target(url, cursor)}>; rel="${rel}"; results="true"; cursor="${cursor}"`
      : `<${url.href}>; rel="${rel}"; results="false"`;
  const inside = [entry('previous', cut.hasPrevious, cut.previous), entry('next', cut.hasNext, cut.next)].join(', ');
  return `{'${inside.replaceAll("'", "\\'")}'}`;
}

/** Builds a `Link` header like Urgentry: relative addresses. */
export function urgentryLink(url: URL, cut: Cut<unknown>): string {
  return sentryLink(url, cut).replaceAll(`<${url.origin}`, '<');
}
