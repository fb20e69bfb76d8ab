import type { EventColumns } from '../domain/events/event-columns.ts';
import type { EventFilter } from '../domain/events/event-list.ts';
import type { EventUser, NormalisedEvent } from '../domain/events/event.ts';
import { shownException } from './digest/shown-stack.ts';
import { tagsToCount } from './digest/tags.ts';

/** Returns what a table of events shows of an event. */
export function columnsOf(event: NormalisedEvent): EventColumns {
  const tags = new Map(tagsToCount(event));
  const tag = (key: string): string | null => tags.get(key) ?? null;
  return {
    message: event.message ?? shownException(event)?.value ?? null,
    level: event.level,
    release: event.release,
    environment: event.environment,
    user: event.user,
    transaction: event.transaction,
    url: event.request?.url ?? null,
    browser: tag('browser'),
    os: tag('os'),
    runtime: tag('runtime'),
    device: tag('device'),
    serverName: event.server_name,
  };
}

function isUser(user: EventUser | null, wanted: string): boolean {
  if (user === null) return false;
  const { id, username, email, name, ip_address } = user;
  return [id, username, email, name, ip_address].some((each) => each?.toLowerCase() === wanted.toLowerCase());
}

/** Compares as the search for errors does: without case, and a name also has those with a version behind it. */
function isNamed(value: string, wanted: string): boolean {
  const [text, name] = [value.toLowerCase(), wanted.toLowerCase()];
  return text === name || (text.startsWith(`${name} `) && /^\d/.test(text.slice(name.length + 1)));
}

/** Returns whether an event has all that a filter asks for. Tags are those that errors count. */
export function fitsFilter(event: NormalisedEvent, { environment, release, user, tag }: EventFilter): boolean {
  if (environment !== undefined && event.environment !== environment) return false;
  if (release !== undefined && event.release !== release) return false;
  if (user !== undefined && !isUser(event.user, user)) return false;
  if (tag === undefined) return true;
  const value = new Map(tagsToCount(event)).get(tag.key);
  return value !== undefined && (tag.value === null || isNamed(value, tag.value));
}
