import { QuerySyntaxError, type IssueFilter } from './sentry-query.ts';

const KEYED = /^([a-z][\w.-]*):(.+)$/is;

/** Word or quoted text; quotes may start after the colon of a key. */
const TOKENS = /([a-zA-Z][\w.-]*:)?"((?:\\.|[^"\\])*)"|\S+/g;

function keyed(key: string, value: string): IssueFilter {
  if (key === 'is') {
    if (!['unresolved', 'resolved', 'ignored'].includes(value)) throw new QuerySyntaxError(`no status ${value}`);
    return (issue) => issue.status === value;
  }
  if (key === 'level') return (issue) => issue.level === value.toLowerCase();
  return (issue) =>
    issue.events.some((event) => {
      if (key === 'release') return event.release === value;
      if (key === 'environment') return event.environment === value;
      return event.tags.some(([name, each]) => name === key && each === value);
    });
}

/**
 * Parses a query as Urgentry does: all filters and words must match, in any order. A key without a value is a word.
 */
export function parseUrgentryQuery(text: string): IssueFilter {
  const filters = [...text.matchAll(TOKENS)].map(([whole, key, quoted]): IssueFilter => {
    const word = quoted === undefined ? whole : `${key ?? ''}${quoted.replace(/\\(.)/g, '$1')}`;
    const match = quoted !== undefined && key === undefined ? null : KEYED.exec(word);
    if (match !== null) return keyed(match[1]!.toLowerCase(), match[2]!);
    const wanted = word.toLowerCase();
    return (issue) => [issue.title, issue.message ?? '', issue.culprit].join(' ').toLowerCase().includes(wanted);
  });
  return (issue) => filters.every((filter) => filter(issue));
}
