import type { EventException, EventThread, Frame, NormalisedEvent } from '../../../domain/events/event.ts';
import { isRecord, setOwn } from '../../../lib/own-property.ts';
import type { InAppRules } from '../in-app.ts';
import { normaliseBreadcrumbs } from './breadcrumbs.ts';
import { clockDrift, isPlausible } from './clock-drift.ts';
import { normaliseContexts } from './contexts.ts';
import { normaliseDebugImages } from './debug-images.ts';
import { normaliseExceptions } from './exceptions.ts';
import { normaliseFingerprint } from './fingerprint-list.ts';
import { normaliseFrames } from './frames.ts';
import { normaliseDist, normaliseEnvironment, normaliseRelease } from './identity-fields.ts';
import { renameLegacyMembers } from './legacy-names.ts';
import { nameOffsets } from './image-offsets.ts';
import { lenientText } from './bounds/lenient-text.ts';
import { parseLevel } from './level.ts';
import { EXTRA_VALUE_SIZE, TEXT, TREE } from './bounds/limits.ts';
import { normaliseMessage } from './message.ts';
import { normaliseModules } from './modules.ts';
import { Notes } from './bounds/notes.ts';
import { parsePlatform } from './platform.ts';
import { normaliseRequest } from './request.ts';
import { addSdkErrors } from './sdk-errors.ts';
import { normaliseSecurityReport } from './security-report.ts';
import { normaliseTags } from './tag-list.ts';
import { normaliseThreads } from './threads.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import { trimMembers } from './bounds/trim-tree.ts';
import { unsupportedCategory } from '../../intake/read/item-category.ts';
import { normaliseUser, parseInferIp } from './user.ts';

/** Data about an event that only the receiver has. Times in milliseconds since the epoch. */
export interface EventOrigin {
  readonly eventId: string;
  readonly receivedAt: number;
  /** Clock of the client at sending; null when absent. */
  readonly sentAt: number | null;
  readonly clientIp: string | null;
}

export type NormaliseResult =
  | { readonly kind: 'event'; readonly event: NormalisedEvent; readonly at: number }
  | {
      readonly kind: 'dropped';
      readonly category: string;
      readonly outcome: 'filtered' | 'invalid';
      readonly reason: 'unsupported_type' | 'not_an_object';
    };

type RawEvent = Readonly<Record<string, unknown>>;

/**
 * Converts an event in any form of the clients to the stored form. Never throws. Owns `raw`: cleans its large trees
 * (variables, contexts, extra) in place and makes them part of the result.
 */
export function normaliseEvent(raw: unknown, origin: EventOrigin, inApp: InAppRules): NormaliseResult {
  if (!isRecord(raw)) {
    return { kind: 'dropped', category: 'error', outcome: 'invalid', reason: 'not_an_object' };
  }
  const category = unsupportedCategory(raw.type);
  if (category !== null) {
    return { kind: 'dropped', category, outcome: 'filtered', reason: 'unsupported_type' };
  }
  renameLegacyMembers(raw);
  const notes = new Notes();
  noteShapes(raw, notes);
  const drift = clockDrift(origin.receivedAt, origin.sentAt);
  const at = happenedAt(raw.timestamp, drift, origin.receivedAt, notes);
  const platform = parsePlatform(raw.platform);
  const { tags, environment } = tagsOf(raw, notes);
  const request = normaliseRequest(raw.request, notes);
  nameOffsets(raw);
  const { exceptions, threads } = stacksOf(raw, platform, inApp, notes);
  const message = normaliseMessage(raw.message, raw.logentry, notes);
  const sender = { clientIp: origin.clientIp, inferIp: parseInferIp(raw.sdk), platform };
  const event: NormalisedEvent = {
    event_id: origin.eventId,
    timestamp: formatTimestamp(at),
    level: parseLevel(raw.level) ?? 'error',
    platform,
    logger: lenientText(raw.logger, TEXT.logger, notes, 'logger'),
    release: normaliseRelease(raw.release, notes),
    dist: normaliseDist(raw.dist, notes),
    environment: normaliseEnvironment(raw.environment ?? environment, notes),
    server_name: lenientText(raw.server_name, TEXT.serverName, notes, 'server_name'),
    transaction: lenientText(raw.transaction ?? raw.culprit, TEXT.transaction, notes, 'transaction'),
    message: message.message,
    logentry: message.logentry,
    exceptions,
    threads,
    breadcrumbs: normaliseBreadcrumbs(raw.breadcrumbs, drift, notes),
    request,
    user: normaliseUser(raw.user, request, sender, notes),
    tags,
    contexts: normaliseContexts(raw.contexts, notes),
    extra: trimMembers(raw.extra, TREE.extra, EXTRA_VALUE_SIZE, notes, 'extra') ?? {},
    modules: normaliseModules(raw.modules, notes),
    sdk: sdkOf(raw.sdk, notes),
    fingerprint: normaliseFingerprint(raw.fingerprint, raw.checksum, notes),
    notes: notes.list,
  };
  const images = normaliseDebugImages(raw.debug_meta, exceptions, threads);
  if (images !== null) event.debug_images = images;
  addSecurityReport(event, raw, notes);
  addSdkErrors(raw.errors, notes);
  return { kind: 'event', event, at };
}

/** Members that are objects; a value of another form is dropped. */
const OBJECTS = ['user', 'request', 'contexts', 'extra', 'modules', 'sdk'] as const;

/** Notes members of a form that is dropped without a look at their content. */
function noteShapes(raw: RawEvent, notes: Notes): void {
  for (const name of OBJECTS) {
    const value = raw[name];
    const isEmpty = value === undefined || value === null || value === '' || value === false;
    if (!isEmpty && !isRecord(value) && !(Array.isArray(value) && value.length === 0)) {
      notes.dropped(name, 'is no object');
    }
  }
  const { level } = raw;
  if (level !== undefined && level !== null && level !== '' && parseLevel(level) === null) {
    notes.dropped('level', 'is unknown');
  }
}

function happenedAt(raw: unknown, drift: number, receivedAt: number, notes: Notes): number {
  const claimed = parseTimestamp(raw);
  if (claimed === null) {
    if (raw !== undefined && raw !== null) {
      notes.add('timestamp', 'unreadable, time of receipt used');
    }
    return receivedAt;
  }
  const at = claimed + drift;
  if (!isPlausible(at, receivedAt)) {
    notes.add('timestamp', 'out of range, time of receipt used');
    return receivedAt;
  }
  if (drift !== 0) {
    notes.add('timestamp', "corrected by the drift of the sender's clock");
  }
  return at;
}

/** Normalises the tags, including the old member `site`. `environment`: the one among the tags. */
function tagsOf(raw: RawEvent, notes: Notes): ReturnType<typeof normaliseTags> {
  const found = normaliseTags(raw.tags, notes);
  if (raw.site !== undefined && !found.tags.some((tag) => tag.key === 'site')) {
    found.tags.push(...normaliseTags({ site: raw.site }, notes).tags);
  }
  return found;
}

/** Normalises exceptions and threads, and adds the stack trace of the event itself to one of them. */
function stacksOf(
  raw: RawEvent,
  platform: string,
  inApp: InAppRules,
  notes: Notes,
): Pick<NormalisedEvent, 'exceptions' | 'threads'> {
  const exceptions = normaliseExceptions(raw.exception, platform, inApp, notes);
  const threads = normaliseThreads(raw.threads, platform, inApp, notes);
  const place = placeOfStacktrace(exceptions, threads);
  const path = place === null ? 'stacktrace' : `${place}.frames`;
  const frames = normaliseFrames(raw.stacktrace, platform, inApp, notes, path);
  if (frames !== null && place !== null) {
    placeStacktrace(frames, exceptions, threads);
  }
  return { exceptions, threads };
}

function addSecurityReport(event: NormalisedEvent, raw: RawEvent, notes: Notes): void {
  const security = normaliseSecurityReport(raw, notes);
  if (security === null) {
    return;
  }
  event.security_report = security.report;
  // Beside an exception, a generated message would count as a sent one.
  event.message ??= event.exceptions.length === 0 ? security.message : null;
  setOwn(event.contexts, security.report.kind, security.context);
}

/**
 * Returns the place where the event's own stack trace belongs. That is the only exception, or without exceptions a
 * thread, because the stack shows where a message was logged. Null when several exceptions exist, or when that place
 * has its own stack.
 */
function placeOfStacktrace(exceptions: readonly EventException[], threads: readonly EventThread[]): string | null {
  const [only, ...others] = exceptions;
  if (only !== undefined) {
    return others.length === 0 && only.frames === null ? 'exceptions[0]' : null;
  }
  return threads.every((thread) => thread.frames === null) ? `threads[${threads.length}]` : null;
}

function placeStacktrace(frames: Frame[], [only]: readonly EventException[], threads: EventThread[]): void {
  if (only === undefined) {
    threads.push({ id: null, name: null, crashed: false, current: true, frames });
  } else {
    only.frames = frames;
  }
}

function sdkOf(raw: unknown, notes: Notes): { name: string | null; version: string | null } | null {
  if (!isRecord(raw)) {
    return null;
  }
  const name = lenientText(raw.name, TEXT.sdk, notes, 'sdk.name');
  const version = lenientText(raw.version, TEXT.sdk, notes, 'sdk.version');
  return name === null && version === null ? null : { name, version };
}
