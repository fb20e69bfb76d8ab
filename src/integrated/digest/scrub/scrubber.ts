import type { Breadcrumb, EventRequest, Frame, NormalisedEvent } from '../../../domain/event.ts';
import { scrubBody } from './body-text.ts';
import { createFieldKinds, isSensitiveCookie } from './field-names.ts';
import { FILTERED } from './filtered.ts';
import { scrubSourceLines } from './source-lines.ts';
import {
  isCardNumber,
  scrubAddresses,
  scrubMessageBeforeGrouping,
  scrubText,
  scrubTextBeforeGrouping,
} from './value-patterns.ts';

export interface ScrubOptions {
  readonly enabled: boolean;
  /** Remove IP addresses too. */
  readonly scrubIps: boolean;
  /** More whole names, in any case, whose values are replaced. */
  readonly sensitiveFields: readonly string[];
  /** Whole names, in any case, whose values are never replaced. */
  readonly safeFields: readonly string[];
}

/** Replaces secrets in a normalised event, in place, in two steps around grouping. */
export interface Scrubber {
  /**
   * What was replaced before the keys of version 1 were made when they were frozen, and takes part in them. What this
   * replaces never changes, or stored errors would not be found again.
   */
  beforeGrouping(event: NormalisedEvent): void;
  /** All the rest: what is hidden here makes no other error of an event. Comes before titles and the payload. */
  afterGrouping(event: NormalisedEvent): void;
}

const NONE: Scrubber = { beforeGrouping: () => undefined, afterGrouping: () => undefined };

/** Deeper than any tree of a normalised event; a JSON body in text may go on, and loses the rest. */
const MAX_DEPTH = 64;

export function createScrubber(options: ScrubOptions): Scrubber {
  if (!options.enabled) {
    return NONE;
  }
  const kindOf = createFieldKinds(options.sensitiveFields, options.safeFields);
  const withoutAddresses = options.scrubIps ? scrubAddresses : (text: string): string => text;
  const text = (value: string): string => withoutAddresses(scrubText(value, kindOf));
  const prose = (value: string): string => withoutAddresses(scrubText(value, kindOf, 'prose'));
  const proseOrNull = (value: string | null): string | null => (value === null ? null : prose(value));
  const sourceLine = (line: string): string => scrubText(line, kindOf, 'source');
  const message = (value: string | null): string | null =>
    value === null ? null : withoutAddresses(scrubMessageBeforeGrouping(value));
  const textBefore = (value: string): string => withoutAddresses(scrubTextBeforeGrouping(value, kindOf));

  function walk(value: unknown, depth = 0): unknown {
    if (typeof value === 'string') {
      return text(value);
    }
    if (typeof value !== 'object' || value === null) {
      return typeof value === 'number' && isCardNumber(value) ? FILTERED : value;
    }
    if (depth > MAX_DEPTH) {
      return FILTERED;
    }
    if (Array.isArray(value)) {
      const list = value as unknown[];
      for (let i = 0; i < list.length; i += 1) {
        const scrubbed = walk(list[i], depth + 1);
        if (scrubbed !== list[i]) {
          list[i] = scrubbed;
        }
      }
      return list;
    }
    bag(value as Record<string, unknown>, depth);
    return value;
  }

  function bag(object: Record<string, unknown> | null, depth = 0): void {
    for (const name in object) {
      const value = object[name];
      const scrubbed = member(name, value, depth);
      if (scrubbed !== value) {
        object[name] = scrubbed;
      }
    }
  }

  function member(name: string, value: unknown, depth: number): unknown {
    switch (kindOf(name)) {
      case 'safe':
        return value;
      case 'sensitive':
        return isFilterable(value) ? FILTERED : value;
      case 'plain':
        return walk(value, depth + 1);
    }
  }

  function pairs(list: [string, string][], isSensitive: (name: string) => boolean = () => false): void {
    for (const pair of list) {
      const kind = kindOf(pair[0]);
      if (kind !== 'safe') {
        const secret = kind === 'sensitive' || isSensitive(pair[0]);
        pair[1] = secret ? (pair[1] === '' ? '' : FILTERED) : text(pair[1]);
      }
    }
  }

  function headers(list: [string, string][]): void {
    for (const pair of list) {
      if (pair[0] === 'Cookie' || pair[0] === 'Set-Cookie') {
        pair[1] = kindOf(pair[0]) === 'safe' ? pair[1] : cookieHeader(pair[1]);
      } else if (pair[0] !== 'User-Agent') {
        pairs([pair]);
      }
    }
  }

  function cookieHeader(value: string): string {
    return value
      .split(';')
      .map((part) => {
        const equals = part.indexOf('=');
        const cookie: [string, string] = [part.slice(0, Math.max(0, equals)), part.slice(equals + 1)];
        const name = cookie[0].trim();
        const list: [string, string][] = [[name, cookie[1]]];
        pairs(list, isSensitiveCookie);
        return equals < 0 ? part : `${cookie[0]}=${list[0]?.[1] ?? ''}`;
      })
      .join(';');
  }

  function request(target: EventRequest): void {
    target.url = target.url === null ? null : text(target.url);
    headers(target.headers);
    pairs(target.query_string);
    pairs(target.cookies, isSensitiveCookie);
    if (typeof target.data === 'string') {
      target.data = text(scrubBody(target.data, kindOf, walk));
    } else {
      target.data = walk(target.data);
    }
    bag(target.env);
    if (options.scrubIps) {
      delete target.env.REMOTE_ADDR;
    }
  }

  function frames(list: readonly Frame[] | null): void {
    for (const frame of list ?? []) {
      bag(frame.vars);
      scrubSourceLines(frame, sourceLine);
    }
  }

  function breadcrumb(target: Breadcrumb): void {
    target.message = target.message === null ? null : text(target.message);
    bag(target.data);
  }

  function beforeGrouping(event: NormalisedEvent): void {
    event.message = message(event.message);
    if (event.logentry !== null) {
      event.logentry.message = message(event.logentry.message);
    }
    for (const exception of event.exceptions) {
      exception.value = exception.value === null ? null : withoutAddresses(exception.value);
    }
    // Only a fingerprint makes them part of a key.
    if (event.fingerprint.some((entry) => entry.includes('{{'))) {
      for (const tag of event.tags) {
        tag.value = named(tag.key, tag.value, textBefore);
      }
      if (event.request !== null) {
        event.request.url = event.request.url === null ? null : textBefore(event.request.url);
      }
    }
  }

  function afterGrouping(event: NormalisedEvent): void {
    event.message = proseOrNull(event.message);
    if (event.logentry !== null) {
      event.logentry.message = proseOrNull(event.logentry.message);
      event.logentry.params = walk(event.logentry.params);
    }
    event.transaction = proseOrNull(event.transaction);
    event.fingerprint = event.fingerprint.map((entry) => (entry === DEFAULT ? entry : prose(entry)));
    for (const exception of event.exceptions) {
      exception.value = proseOrNull(exception.value);
      frames(exception.frames);
      bag(exception.mechanism?.data ?? null);
    }
    for (const thread of event.threads) {
      frames(thread.frames);
    }
    event.breadcrumbs.forEach(breadcrumb);
    if (event.request !== null) {
      request(event.request);
    }
    for (const tag of event.tags) {
      tag.value = named(tag.key, tag.value, text);
    }
    if (event.security_report !== undefined) {
      event.security_report.host = prose(event.security_report.host);
      event.security_report.rule = proseOrNull(event.security_report.rule);
    }
    bag(event.contexts);
    bag(event.extra);
    if (event.user !== null) {
      bag(event.user.data);
      if (options.scrubIps) {
        event.user.ip_address = null;
      }
    }
  }

  function named(name: string, value: string, hide: (text: string) => string): string {
    const kind = kindOf(name);
    return kind === 'safe' ? value : kind === 'sensitive' && value !== '' ? FILTERED : hide(value);
  }

  return { beforeGrouping, afterGrouping };
}

/** Of a fingerprint; the usual one needs no look. */
const DEFAULT = '{{ default }}';

/** Nothing is hidden by hiding that there was nothing. */
function isFilterable(value: unknown): boolean {
  return value !== null && value !== '' && typeof value !== 'boolean';
}
