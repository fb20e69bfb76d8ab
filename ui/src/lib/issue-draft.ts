import type { ErrorDetail, TrackedEvent } from '../api/errors-api.ts';
import { exceptionsOf, threadsOf, type Frame } from './event-view.ts';
import { visibleExcerpt, visibleText } from './visible-text.ts';

/** Maximum characters of the title of an issue. */
export const MAX_TITLE = 200;
/** Maximum characters of the description of an issue. */
export const MAX_DESCRIPTION = 30_000;
/** Characters of a message, and of a name, that go into a description. */
const MAX_MESSAGE = 2000;
const MAX_NAME = 200;
/** Frames that go into a description. */
const FRAMES = 8;

/** Returns as many backticks as no run of them in the text has. */
function fenceFor(text: string, least: number): string {
  const runs = text.match(/`+/g) ?? [];
  return '`'.repeat(Math.max(least, ...runs.map(({ length }) => length + 1)));
}

/** Text as code in one line: names of people and commands in it have no effect on the host. */
function inline(text: string): string {
  const shown = visibleExcerpt(text, MAX_NAME);
  const fence = fenceFor(shown, 1);
  return fence === '`' ? `\`${shown}\`` : `${fence} ${shown} ${fence}`;
}

function block(text: string): string {
  const fence = fenceFor(text, 3);
  return `${fence}\n${text}\n${fence}`;
}

/** Frames of the application, else the innermost ones, one a line. */
function framesOf(event: TrackedEvent): readonly Frame[] {
  const frames = [...exceptionsOf(event), ...threadsOf(event)].find((stack) => stack.frames.length > 0)?.frames ?? [];
  const own = frames.filter((frame) => frame.in_app);
  return (own.length > 0 ? own : frames).slice(0, FRAMES);
}

function frameLine({ filename, abs_path: path, module, lineno, function: name }: Frame): string {
  const place = `${filename ?? path ?? module ?? 'unknown file'}${lineno === null ? '' : `:${lineno}`}`;
  return visibleExcerpt(name === null ? place : `${name} in ${place}`, MAX_NAME);
}

export function issueTitle({ title }: Pick<ErrorDetail, 'title'>): string {
  return visibleExcerpt(title, MAX_TITLE);
}

/**
 * Describes an error in Markdown: its address, counts, releases, message and top frames. Texts of events stand in code,
 * where the host reads no mentions, links or commands in them. `address`: of the error here.
 */
export function issueDescription(error: ErrorDetail, event: TrackedEvent | null, address: string): string {
  const { first_release: first, last_release: last } = error;
  const environment = event?.environment ?? null;
  const times = (at: string, release: string | null) =>
    `${new Date(at).toISOString()}${release === null ? '' : ` in ${inline(release)}`}`;
  const facts = [
    `- Events: ${error.count}${error.user_count === null ? '' : `, users: ${error.user_count}`}`,
    `- First seen: ${times(error.first_seen, first)}`,
    `- Last seen: ${times(error.last_seen, last)}`,
    ...(environment === null ? [] : [`- Environment: ${inline(environment)}`]),
  ];
  const message = [error.type, error.message].filter((text) => text !== null && text !== '').join(': ') || error.title;
  const frames = event === null ? [] : framesOf(event);
  return [
    `Error in errgate: ${address}`,
    facts.join('\n'),
    block(visibleText(message).slice(0, MAX_MESSAGE)),
    ...(frames.length === 0 ? [] : [block(frames.map(frameLine).join('\n'))]),
  ]
    .join('\n\n')
    .slice(0, MAX_DESCRIPTION);
}

/** Returns the address of the page for a new issue with a title and a description; null: it cannot be one. */
export function newIssuePage(template: string, title: string, description: string): string | null {
  const values: Readonly<Record<string, string>> = { title, description };
  const address = template.replaceAll(/\{(title|description)\}/g, (_, name: string) =>
    encodeURIComponent((values[name] ?? '').replaceAll(/\p{Cs}/gu, '')),
  );
  return /^https?:\/\//i.test(address) && URL.canParse(address) ? address : null;
}
