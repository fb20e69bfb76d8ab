import type { ErrorDetail, TrackedEvent } from '../api/errors-api.ts';
import { breadcrumbText } from './breadcrumb-text.ts';
import { factsOf } from './event-facts.ts';
import { breadcrumbsOf, exceptionsOf } from './event-view.ts';
import { wholeNumber } from './numbers.ts';
import { rawStack } from './stack-text.ts';
import { visibleText } from './visible-text.ts';

/** Breadcrumbs that come along: the last ones. */
const MAX_CRUMBS = 15;
/** Characters of one line of text, such as the title. */
const MAX_LINE = 300;

/** One line without characters that Markdown gives a meaning. */
function plain(text: string): string {
  const line = visibleText(text.slice(0, MAX_LINE)).replaceAll(/\s+/g, ' ').trim();
  return line.replaceAll(/[\\`*_[\]<>|#@]/g, (character) => `\\${character}`);
}

/** Code block whose fence is longer than every run of backticks within. */
function block(text: string, language = ''): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return `${fence}${language}\n${visibleText(text)}\n${fence}`;
}

function crumbLines(event: TrackedEvent): string {
  return breadcrumbsOf(event)
    .slice(-MAX_CRUMBS)
    .map((crumb) => {
      const { text, data } = breadcrumbText(crumb);
      const time = crumb.timestamp?.slice(11, 23) ?? '';
      return [time, crumb.level === 'info' ? '' : crumb.level, crumb.category ?? crumb.type, text, data]
        .filter((part) => part !== '')
        .join(' ')
        .replaceAll(/\s+/g, ' ');
    })
    .join('\n');
}

/** An error and one of its events as Markdown, for an issue, a chat or an assistant. `address`: page of the event. */
export function eventMarkdown(error: ErrorDetail, event: TrackedEvent, address: string): string {
  const facts: readonly (readonly [string, string])[] = [
    ['Events, all time', wholeNumber(error.count)],
    ['Users, all time', error.user_count === null ? '' : wholeNumber(error.user_count)],
    ['First seen', error.first_release === null ? error.first_seen : `${error.first_seen} in ${error.first_release}`],
    ['Last seen', error.last_release === null ? error.last_seen : `${error.last_seen} in ${error.last_release}`],
    ['This event', `${event.timestamp} (${event.event_id})`],
    ['Release', event.release ?? ''],
    ['Environment', event.environment ?? ''],
    ['Transaction', event.transaction ?? ''],
    ...factsOf(event)
      // People are not named in a text that may become public.
      .filter(({ kind }) => kind !== 'user')
      .map(({ label, text }) => [label, text] as const),
  ];
  const exceptions = exceptionsOf(event);
  const crumbs = crumbLines(event);
  const stack = exceptions.length === 0 ? (event.message ?? '') : rawStack(exceptions, event.platform);
  return [
    `## ${plain(error.title)}`,
    '',
    address,
    '',
    ...facts.filter(([, text]) => text !== '').map(([label, text]) => `- ${label}: ${plain(text)}`),
    ...(stack === '' ? [] : ['', '### Stack trace', '', block(stack)]),
    ...(crumbs === '' ? [] : ['', '### Breadcrumbs', '', block(crumbs)]),
    '',
  ].join('\n');
}
