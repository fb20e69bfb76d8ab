import { SCORES, type Score } from './issue-list.ts';
import { QuerySyntaxError, type IssueFilter } from './sentry-query.ts';
import { firstSeen, type FakeIssue } from './world.ts';

/** Message about a parameter that is no number. */
export const NO_NUMBER = 'Input should be a valid integer, unable to parse string as an integer';
export const SORT_NAMES = ['last_seen', 'first_seen', 'count', 'priority'];
export const SORT_LIST = `'last_seen', 'first_seen', 'count', 'priority', '-last_seen', '-first_seen', '-count' or '-priority'`;
export const SORT_SCORES: Readonly<Record<string, Score>> = {
  last_seen: SCORES.lastSeen,
  first_seen: SCORES.firstSeen,
  count: SCORES.count,
  priority: SCORES.lastSeen,
};

/** Splits words like a POSIX shell: both kinds of quotes and backslash escapes. Throws for unbalanced quotes. */
function shellSplit(text: string): string[] {
  const words: string[] = [];
  let word: string | null = null;
  let quote: '"' | "'" | null = null;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    if (quote === null && /\s/.test(char)) {
      if (word !== null) words.push(word);
      word = null;
    } else if (quote === null && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (char === quote) {
      quote = null;
    } else if (char === '\\' && quote === null) {
      at += 1;
      if (at >= text.length) throw new QuerySyntaxError('No escaped character');
      word = (word ?? '') + text[at]!;
    } else if (char === '\\' && quote === '"' && (text[at + 1] === '"' || text[at + 1] === '\\')) {
      at += 1;
      word = (word ?? '') + text[at]!;
    } else {
      word = (word ?? '') + char;
    }
  }
  if (quote !== null) throw new QuerySyntaxError('No closing quotation');
  if (word !== null) words.push(word);
  return words;
}

const WORDS = /[\p{L}\p{N}_]+/gu;
const wordsOf = (text: string): string[] => text.toLowerCase().match(WORDS) ?? [];

/**
 * Parses a query as GlitchTip does. Words with a colon before the first plain word are filters, quoted or not.
 * The rest is a full-text search, in which all whole words must occur.
 */
export function parseGlitchTipQuery(text: string): IssueFilter {
  const filters: IssueFilter[] = [];
  const words = shellSplit(text);
  for (const [index, word] of words.entries()) {
    const colon = word.indexOf(':');
    if (colon === -1) {
      const rest = words.slice(index).join(' ');
      const wanted = wordsOf(rest);
      if (/^[0-9a-f]{32}$/.test(rest)) {
        filters.push((issue) => issue.events.some(({ id }) => id === rest));
        break;
      }
      const beginnings = [...rest.matchAll(/([\p{L}\p{N}_]+)\*/gu)].map(([, begin = '']) => begin.toLowerCase());
      filters.push((issue) => {
        const present = new Set(wordsOf([issue.title, issue.message ?? '', issue.culprit].join(' ')));
        const fits = (each: string): boolean =>
          present.has(each) || (beginnings.includes(each) && [...present].some((one) => one.startsWith(each)));
        return wanted.length > 0 && wanted.every(fits);
      });
      break;
    }
    const [key, value] = [word.slice(0, colon), word.slice(colon + 1).replace(/^"+|"+$/g, '')];
    if (key === 'is') {
      filters.push((issue) => issue.status === value);
    } else if (key === 'level') {
      filters.push((issue) => issue.level === value);
    } else {
      filters.push((issue) =>
        issue.events.some((event) => {
          const own = { environment: event.environment, release: event.release }[key];
          if (key === 'has') return event.tags.some(([name]) => name === value);
          return own === value || event.tags.some(([name, each]) => name === key && each === value);
        }),
      );
    }
  }
  return (issue) => filters.every((filter) => filter(issue));
}

/** Checks the first event of an issue against the parameters `start` and `end`; the fake has no microseconds. */
export function isWithin(issue: FakeIssue, parameters: URLSearchParams): boolean {
  const bound = (name: string): number | null => {
    const text = parameters.get(name);
    return text === null ? null : Date.parse(text.replace(/(\.\d{3})\d+/, '$1'));
  };
  const at = firstSeen(issue);
  return at >= (bound('start') ?? -Infinity) && at <= (bound('end') ?? Infinity);
}
