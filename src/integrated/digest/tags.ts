import type { NormalisedEvent } from '../../domain/events/event.ts';
import { urlHost } from '../../domain/url-parts.ts';
import { cutText } from '../../lib/text/clean-text.ts';
import { isRecord } from '../../lib/own-property.ts';
import { shownException } from './shown-stack.ts';

const MAX_VALUE = 200;

type Tag = readonly [key: string, value: string];

/**
 * Returns the tags to count per error. Level, environment and release for filters come from the event's members. The
 * SDK's tags follow, then derived ones. The first of a name counts.
 */
export function tagsToCount(event: NormalisedEvent): Tag[] {
  const tags = new Map<string, string>();
  const add = (key: string, value: string | null | undefined): void => {
    const text = value?.trim();
    if (text !== undefined && text !== '' && !tags.has(key)) {
      tags.set(key, cutText(text, MAX_VALUE));
    }
  };
  add('level', event.level);
  add('environment', event.environment);
  add('release', event.release);
  for (const tag of event.tags) {
    add(tag.key, tag.value);
  }
  add('server_name', event.server_name);
  add('transaction', event.transaction);
  add('logger', event.logger);
  add('url', event.request?.url);
  add('url.host', urlHost(tags.get('url') ?? ''));
  add('handled', handled(event));
  add('mechanism', shownException(event)?.mechanism?.type);
  addProduct(event, 'runtime', add);
  addProduct(event, 'os', add);
  addProduct(event, 'browser', add);
  const device = contextOf(event, 'device');
  add('device', textOf(device?.model) ?? textOf(device?.family));
  return [...tags];
}

/**
 * Returns `no` when an exception of the chain was not handled, else `yes` when one was. Null when no mechanism tells.
 */
function handled(event: NormalisedEvent): string | null {
  let known: string | null = null;
  for (const { mechanism } of event.exceptions) {
    if (mechanism?.handled === false) {
      return 'no';
    }
    known = mechanism?.handled === true ? 'yes' : known;
  }
  return known;
}

function addProduct(event: NormalisedEvent, name: string, add: (key: string, value: string | null) => void): void {
  const context = contextOf(event, name);
  const product = textOf(context?.name);
  const version = textOf(context?.version);
  if (product !== null) {
    add(name, version === null ? product : `${product} ${version}`);
    add(`${name}.name`, product);
  }
}

function contextOf(event: NormalisedEvent, name: string): Record<string, unknown> | null {
  const context = event.contexts[name];
  return isRecord(context) ? context : null;
}

/** Converts a value to one line, because tags are used in filters. */
function textOf(value: unknown): string | null {
  const text = typeof value === 'string' ? value.trim().replaceAll('\n', ' ') : '';
  return text === '' ? null : text;
}
