import { isRecord } from '../../lib/own-property.ts';
import { eventIdOf, filledText, listOf, membersOf } from '../../thirdparty/map/values.ts';
import type { RemoteEvent } from '../tracker-reader.ts';
import { eventTime } from './event-time.ts';
import { membersOfTags, sentUser } from './sent-members.ts';
import { hasTwoForms, undoOwners, type StackForm } from './stack-owners.ts';
import { undoStacktrace } from './undo-frames.ts';
import { wasScrubbed } from './scrubbed.ts';
import { isCulprit } from './computed-culprit.ts';

type Members = Record<string, unknown>;

/** Members that SDKs send and trackers keep as they were. */
const KEPT = [
  'platform',
  'level',
  'logger',
  'release',
  'dist',
  'environment',
  'server_name',
  'transaction',
  'breadcrumbs',
  'request',
  'contexts',
  'extra',
  'modules',
  'sdk',
  'debug_meta',
  'csp',
  'hpkp',
  'expectct',
  'expectstaple',
  'nel',
] as const;
const REPORT_TYPES: ReadonlySet<unknown> = new Set(['csp', 'hpkp', 'expectct', 'expectstaple', 'nel']);

/** Fingerprint as the SDK sent it; undefined for none. */
function sentFingerprint(raw: Members): unknown[] | undefined {
  const info = isRecord(raw._fingerprint_info) ? raw._fingerprint_info : {};
  const client = listOf(info.client_fingerprint);
  if (client.length > 0) return client;
  // Without it the value is a rule's.
  if (info.matched_rule !== undefined && info.matched_rule !== null) return undefined;
  const given = listOf(raw.fingerprint);
  return given.length === 0 ? undefined : given;
}

/** Message as SDKs send it. The member `message` of a stored event is made for search. */
function sentMessage(raw: Members): Members {
  if (isRecord(raw.logentry)) {
    const { message, formatted, params } = raw.logentry;
    const entry: Members = {};
    if (message !== undefined && message !== null) entry.message = message;
    if (formatted !== undefined && formatted !== null) entry.formatted = formatted;
    if (params !== undefined && params !== null) entry.params = params;
    return Object.keys(entry).length === 0 ? {} : { logentry: entry };
  }
  const isMessage = raw.exception === undefined || raw.exception === null;
  const text = isMessage ? filledText(raw.message) : null;
  return text === null ? {} : { message: text };
}

function bodyOf(raw: Members, form: StackForm): Members {
  const { tags, members } = membersOfTags(raw.tags);
  const body: Members = { ...members };
  for (const name of KEPT) if (raw[name] !== undefined && raw[name] !== null) body[name] = raw[name];
  if (isCulprit(raw)) delete body.transaction;
  Object.assign(body, sentMessage(raw));
  if (tags.length > 0) body.tags = tags;
  const user = sentUser(raw.user);
  if (user !== undefined) body.user = user;
  const fingerprint = sentFingerprint(raw);
  if (fingerprint !== undefined) body.fingerprint = fingerprint;
  for (const name of ['exception', 'threads'] as const) {
    const owners = undoOwners(raw[name], form);
    if (owners !== undefined) body[name] = owners;
  }
  const stack = undoStacktrace(raw.stacktrace);
  if (stack !== undefined) body.stacktrace = stack;
  if (REPORT_TYPES.has(raw.type)) body.type = raw.type;
  return body;
}

/**
 * Makes an event as SDKs send it of one as trackers store it (`…/events/<id>/json/`), with the tracker's work undone.
 * Null without an id. `now`: milliseconds; later times become it.
 */
export function eventFromRaw(value: unknown, now: number): RemoteEvent | null {
  const eventId = isRecord(value) ? eventIdOf(value.event_id) : null;
  if (eventId === null) return null;
  const raw = membersOf(value);
  const at = eventTime([raw.timestamp, raw.datetime, raw.received], now);
  const identity = { event_id: eventId, timestamp: at / 1000 };
  const body: Members = { ...bodyOf(raw, 'shown'), ...identity };
  const twoForms = hasTwoForms(raw.exception) || hasTwoForms(raw.threads);
  return {
    eventId,
    at,
    body,
    variants: twoForms ? [{ ...bodyOf(raw, 'sent'), ...identity }] : [],
    scrubbed: wasScrubbed(body, raw._meta),
  };
}

/** Wraps an event that the tracker kept as the SDK sent it; null when it is no object. */
export function eventFromSdk(value: unknown, eventId: string, timestamp: unknown, now: number): RemoteEvent | null {
  if (!isRecord(value)) return null;
  const sent = membersOf(value);
  const at = eventTime([sent.timestamp, timestamp], now);
  return { eventId, at, body: { ...sent, event_id: eventId, timestamp: at / 1000 }, variants: [], scrubbed: false };
}
