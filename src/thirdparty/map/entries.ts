import type { Breadcrumb, EventException, EventRequest, EventThread, Mechanism } from '../../domain/events/event.ts';
import { isRecord } from '../../lib/own-property.ts';
import { framesOf } from './frames.ts';
import {
  booleanOf,
  filledMembers,
  filledText,
  integerOf,
  isoOf,
  listOf,
  membersOf,
  pairsOf,
  textOf,
  treeOf,
} from './values.ts';

/** `{values: […]}` or a plain list. */
function valuesOf(data: unknown): Record<string, unknown>[] {
  return listOf(isRecord(data) ? data.values : data).filter(isRecord);
}

function mechanismOf(value: unknown): Mechanism | null {
  if (!isRecord(value)) return null;
  return {
    type: filledText(value.type) ?? 'generic',
    handled: booleanOf(value.handled),
    synthetic: value.synthetic === true,
    exception_id: integerOf(value.exception_id),
    parent_id: integerOf(value.parent_id),
    is_exception_group: value.is_exception_group === true,
    source: filledText(value.source),
    description: filledText(value.description),
    data: filledMembers(value.data),
  };
}

/** Root cause first, in the order of trackers. */
export function exceptionsOf(data: unknown): EventException[] {
  return valuesOf(data).map((value) => ({
    type: filledText(value.type),
    value: textOf(value.value),
    module: filledText(value.module),
    thread_id: filledText(value.threadId ?? value.thread_id),
    mechanism: mechanismOf(value.mechanism),
    frames: framesOf(value.stacktrace) ?? framesOf(value.rawStacktrace),
  }));
}

export function threadsOf(data: unknown): EventThread[] {
  return valuesOf(data).map((value) => ({
    id: filledText(value.id),
    name: filledText(value.name),
    crashed: value.crashed === true,
    current: value.current === true,
    frames: framesOf(value.stacktrace) ?? framesOf(value.rawStacktrace),
  }));
}

/** Stack trace without an exception, of a logged message. */
export function stackAsThread(data: unknown): EventThread[] {
  const frames = framesOf(data);
  return frames === null ? [] : [{ id: null, name: null, crashed: false, current: true, frames }];
}

/** Template location of an event, as a single frame. */
export function templateAsThread(data: unknown): EventThread[] {
  if (!isRecord(data)) return [];
  const named = { ...data, absPath: data.absPath ?? data.abs_path, inApp: true };
  return stackAsThread({ frames: [named] });
}

export function breadcrumbsOf(data: unknown): Breadcrumb[] {
  return valuesOf(data).map((value) => ({
    timestamp: isoOf(value.timestamp),
    type: filledText(value.type) ?? 'default',
    category: filledText(value.category),
    level: filledText(value.level) ?? 'info',
    message: textOf(value.message),
    data: filledMembers(value.data),
  }));
}

export function messageOf(data: unknown): {
  message: string | null;
  logentry: { message: string | null; params: unknown } | null;
} {
  if (!isRecord(data)) return { message: textOf(data), logentry: null };
  const template = textOf(data.message);
  const hasParams = data.params !== undefined && data.params !== null;
  return {
    message: textOf(data.formatted) ?? template,
    logentry:
      template === null && !hasParams ? null : { message: template, params: hasParams ? treeOf(data.params) : null },
  };
}

function queryOf(value: unknown): [string, string][] {
  return typeof value === 'string' ? [...new URLSearchParams(value)] : pairsOf(value);
}

export function requestOf(data: unknown): EventRequest | null {
  if (!isRecord(data)) return null;
  return {
    url: filledText(data.url),
    method: filledText(data.method),
    query_string: queryOf(data.query ?? data.query_string),
    headers: pairsOf(data.headers),
    cookies: pairsOf(data.cookies),
    data: treeOf(data.data ?? null),
    env: membersOf(data.env),
  };
}
