import { firstSeen, lastSeen, type FakeEvent, type FakeIssue } from './world.ts';

export type IssueFilter = (issue: FakeIssue) => boolean;

/** Sentry's message about an invalid query. */
export class QuerySyntaxError extends Error {}

/** Query with a word that this version does not know. */
export class UnknownWordError extends QuerySyntaxError {}

interface Token {
  readonly negated: boolean;
  /** Null for free text. */
  readonly key: string | null;
  readonly values: readonly string[];
}

const IS_WORDS: Readonly<Record<string, IssueFilter>> = {
  unresolved: (issue) => issue.status === 'unresolved',
  resolved: (issue) => issue.status === 'resolved',
  ignored: (issue) => issue.status === 'ignored',
  archived: (issue) => issue.status === 'ignored',
  muted: (issue) => issue.status === 'ignored',
  assigned: () => false,
  unassigned: () => true,
};

/** Words of versions with substatuses. */
const MODERN_WORDS: Readonly<Record<string, IssueFilter>> = {
  new: (issue) => issue.substatus === 'new',
  ongoing: (issue) => issue.substatus === 'ongoing',
  regressed: (issue) => issue.substatus === 'regressed',
  escalating: (issue) => issue.substatus === 'escalating',
  for_review: (issue) => ['new', 'regressed', 'escalating'].includes(issue.substatus ?? ''),
};

const TAG_READERS: Readonly<Record<string, (event: FakeEvent) => string | null>> = {
  environment: (event) => event.environment,
  release: (event) => event.release,
};

const TIME_READERS: Readonly<Record<string, (issue: FakeIssue) => number>> = { firstSeen, lastSeen };
const TIME = /^(>=|<=|>|<)(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}:\d{2}(?:\.\d{1,6})?)?(?:Z|[+-]\d{2}:\d{2})?)$/;

function timeFilter(read: (issue: FakeIssue) => number, value: string): IssueFilter {
  const [, operator, time = ''] = TIME.exec(value) ?? [];
  if (operator === undefined) throw new QuerySyntaxError(`'${value}' is not a valid datetime query`);
  // Times of the fake have no microseconds.
  const bound = Date.parse(time.replace(/(\.\d{3})\d+/, '$1'));
  const compare: Readonly<Record<string, (at: number) => boolean>> = {
    '>=': (at) => at >= bound,
    '<=': (at) => at <= bound,
    '>': (at) => at > bound,
    '<': (at) => at < bound,
  };
  return (issue) => compare[operator]!(read(issue));
}

/** Reads the quoted string at `start`; a backslash escapes a quote. */
function readQuoted(text: string, start: number): { value: string; end: number } {
  let value = '';
  for (let at = start + 1; at < text.length; at += 1) {
    const char = text[at]!;
    if (char === '\\' && text[at + 1] === '"') {
      value += '"';
      at += 1;
    } else if (char === '"') {
      return { value, end: at + 1 };
    } else {
      value += char;
    }
  }
  throw new QuerySyntaxError('a quote is not closed');
}

function readValue(text: string, start: number): { values: string[]; end: number } {
  if (text[start] === '"') {
    const { value, end } = readQuoted(text, start);
    return { values: [value], end };
  }
  if (text[start] === '[') {
    const close = text.indexOf(']', start);
    if (close === -1) throw new QuerySyntaxError('a list is not closed');
    const inside = text.slice(start + 1, close);
    return { values: inside.split(',').map((value) => value.trim().replace(/^"|"$/g, '')), end: close + 1 };
  }
  const end = text.slice(start).search(/[\s()]|$/) + start;
  if (end === start) throw new QuerySyntaxError('a key has no value');
  return { values: [text.slice(start, end)], end };
}

function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let words: string[] = [];
  const flush = (): void => {
    if (words.length > 0) tokens.push({ negated: false, key: null, values: [words.join(' ')] });
    words = [];
  };
  for (let at = 0; at < text.length;) {
    const rest = text.slice(at);
    const space = /^\s+/.exec(rest);
    if (space !== null) {
      at += space[0].length;
      continue;
    }
    if (/^[()]/.test(rest) || /^(?:OR|AND)(?=\s|$)/.test(rest)) {
      throw new QuerySyntaxError('boolean statements containing "OR" or "AND" are not supported in this search');
    }
    const keyed = /^(!?)([a-zA-Z0-9_.-]+|tags\[[\w.-]+\]):/.exec(rest);
    if (keyed !== null) {
      flush();
      const { values, end } = readValue(text, at + keyed[0].length);
      tokens.push({ negated: keyed[1] === '!', key: keyed[2]!, values });
      at = end;
    } else if (rest.startsWith('"')) {
      flush();
      const { value, end } = readQuoted(text, at);
      if (/^[^\s)]/.test(text.slice(end))) throw new QuerySyntaxError('text follows a closing quote');
      tokens.push({ negated: false, key: null, values: [value] });
      at = end;
    } else {
      const word = /^[^\s()]+/.exec(rest)![0];
      if (word.includes('"')) throw new QuerySyntaxError('a quote stands inside a word');
      words.push(word);
      at += word.length;
    }
  }
  flush();
  return tokens;
}

/** Builds a matcher. `*` is a wildcard, also inside quotes, unless escaped by a backslash. */
function matcher(value: string, whole: boolean): (text: string) => boolean {
  const source = value
    .split(/(\\\*|\*)/)
    .map((part) => {
      if (part === '*') return '.*';
      return (part === '\\*' ? '*' : part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
    })
    .join('');
  const pattern = new RegExp(whole ? `^${source}$` : source, 'is');
  return (text) => pattern.test(text);
}

function filterOf(token: Token, modern: boolean): IssueFilter {
  const tests = token.values.map((value) => matcher(value, token.key !== null));
  const any = (text: string | null): boolean => text !== null && tests.some((test) => test(text));
  if (token.key === null) {
    return (issue) => any([issue.title, issue.message ?? '', issue.culprit].join(' '));
  }
  if (token.key === 'is') {
    const filters = token.values.map((value) => {
      const filter = IS_WORDS[value] ?? (modern ? MODERN_WORDS[value] : undefined);
      if (value in MODERN_WORDS && !modern) throw new UnknownWordError(`invalid value for "is" search: '${value}'`);
      if (filter === undefined) throw new QuerySyntaxError(`invalid value for "is" search: '${value}'`);
      return filter;
    });
    return (issue) => filters.some((filter) => filter(issue));
  }
  if (token.key === 'level') return (issue) => any(issue.level);
  const time = TIME_READERS[token.key];
  if (time !== undefined) return timeFilter(time, token.values[0] ?? '');
  if (token.key === 'error.type') return (issue) => any(issue.type);
  if (token.key === 'error.unhandled') {
    return (issue) =>
      issue.events.some(({ tags }) => tags.some(([name, value]) => name === 'handled' && value === 'no'));
  }
  if (token.key === 'user.email' || token.key === 'user.ip')
    return (issue) => issue.events.some(({ user }) => any(user));
  if (token.key === 'has') return (issue) => issue.events.some(({ tags }) => tags.some(([name]) => any(name)));
  const [, bracketed] = /^tags\[(.*)\]$/.exec(token.key) ?? [];
  const reader = bracketed === undefined ? TAG_READERS[token.key] : undefined;
  const key = bracketed ?? token.key;
  return (issue) =>
    issue.events.some((event) =>
      reader === undefined ? event.tags.some(([name, value]) => name === key && any(value)) : any(reader(event)),
    );
}

/** Parses Sentry's search language as far as errgate uses it. Throws QuerySyntaxError. `modern`: with substatuses. */
export function parseSentryQuery(text: string, modern = true): IssueFilter {
  const filters = tokenize(text).map((token) => {
    const filter = filterOf(token, modern);
    return token.negated ? (issue: FakeIssue) => !filter(issue) : filter;
  });
  return (issue) => filters.every((filter) => filter(issue));
}
