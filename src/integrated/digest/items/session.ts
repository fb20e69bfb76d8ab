import { SESSION_ENDS, type SessionEnd, type SessionSums } from '../../../domain/releases/session.ts';
import { isRecord } from '../../../lib/own-property.ts';
import { normaliseEventId } from '../../intake/read/event-id.ts';
import type { JournalRecord } from '../../intake/journal-record.ts';
import type { DigestedItem } from '../digested-record.ts';
import { clockDrift } from '../normalise/clock-drift.ts';
import { normaliseEnvironment, normaliseRelease } from '../normalise/identity-fields.ts';
import { lenientText } from '../normalise/bounds/lenient-text.ts';
import { TEXT } from '../normalise/bounds/limits.ts';
import { Notes } from '../normalise/bounds/notes.ts';
import { parseTimestamp } from '../normalise/timestamp.ts';
import { userHash } from '../user-hash.ts';

/** Maximum age of a session's start or update at receipt, in milliseconds. Older ones do not count. */
const MAX_AGE_MS = 5 * 86_400_000;
const MAX_FUTURE_MS = 60_000;
/** Maximum number in one entry of an aggregate. An entry above it is invalid and left out. */
const MAX_COUNT = 1_000_000_000;
/** Distinct id that SDKs send when there is no user. */
const NIL_USER = /^[0-]{32,36}$/;

type Refusal = 'no_release' | 'invalid_session' | 'too_old' | 'in_future';

/** Digests the update of one session, or sessions counted by a server; else returns the reason of refusal. */
export function digestSession(
  salt: string,
  record: JournalRecord,
  item: 'session' | 'sessions',
  raw: Record<string, unknown>,
): DigestedItem | Refusal {
  const attributes = isRecord(raw.attrs) ? raw.attrs : {};
  const notes = new Notes();
  const release = normaliseRelease(attributes.release, notes);
  if (release === null) {
    return 'no_release';
  }
  const { projectId, keyId, receivedAt } = record;
  const environment = normaliseEnvironment(attributes.environment, notes);
  const common = { projectId, keyId, receivedAt, release, environment };
  const userHashOf = (did: unknown) => {
    const id = lenientText(did, TEXT.userText, notes, 'did');
    const user = { id, username: null, email: null, name: null, ip_address: null, data: {} };
    return id === null || NIL_USER.test(id) ? null : userHash(salt, projectId, user);
  };
  if (item === 'sessions') {
    const sums = sumsOf(record, raw, userHashOf);
    return typeof sums === 'string' ? sums : { outcome: null, session: { ...common, kind: 'sums', sums } };
  }
  const made = updateOf(record, raw, userHashOf);
  return typeof made === 'string' ? made : { outcome: null, session: { ...common, ...made } };
}

type UserHashOf = (did: unknown) => string | null;

function updateOf(record: JournalRecord, raw: Record<string, unknown>, userHashOf: UserHashOf) {
  const sessionId = normaliseEventId(raw.sid);
  const startedAt = instantOf(raw.started, record);
  if (sessionId === null || startedAt === null) {
    return 'invalid_session';
  }
  const at = Math.max(instantOf(raw.timestamp, record) ?? record.receivedAt, startedAt);
  const refusal = outOfTime(startedAt, record) ?? outOfTime(at, record);
  if (refusal !== null) {
    return refusal;
  }
  const end = SESSION_ENDS.find((word) => word === raw.status) ?? null;
  // An unknown state counts as errored.
  const wrong = raw.status !== undefined && raw.status !== null && raw.status !== 'ok' && raw.status !== 'exited';
  const errored = wrong || (typeof raw.errors === 'number' && raw.errors > 0);
  return { kind: 'update' as const, sessionId, startedAt, at, errored, end, userHash: userHashOf(raw.did) };
}

/**
 * Returns the valid entries, or the reason of refusal when there is none. Outcomes count items: each item is accepted
 * or refused once, whatever its number of entries.
 */
function sumsOf(
  record: JournalRecord,
  raw: Record<string, unknown>,
  userHashOf: UserHashOf,
): SessionSums['sums'] | Refusal {
  const entries = Array.isArray(raw.aggregates) ? (raw.aggregates as unknown[]) : [];
  const sums: SessionSums['sums'][number][] = [];
  let refusal: Refusal = 'invalid_session';
  for (const entry of entries) {
    const startedAt = isRecord(entry) ? instantOf(entry.started, record) : null;
    const counts = isRecord(entry) ? countsOf(entry) : null;
    if (!isRecord(entry) || startedAt === null || counts === null) {
      continue;
    }
    const late = outOfTime(startedAt, record);
    if (late === null) {
      sums.push({ ...counts, startedAt, userHash: userHashOf(entry.did) });
    } else {
      refusal = late;
    }
  }
  return sums.length === 0 ? refusal : sums;
}

/** Reads the counts of an entry; absent ones are 0. Null when one is invalid. */
function countsOf(entry: Record<string, unknown>): Record<SessionEnd | 'errored', number> | null {
  const counts = { exited: 0, crashed: 0, abnormal: 0, unhandled: 0, errored: 0 };
  for (const name of [...SESSION_ENDS, 'errored'] as const) {
    const count = entry[name] ?? 0;
    if (typeof count !== 'number' || !Number.isInteger(count) || count < 0 || count > MAX_COUNT) {
      return null;
    }
    counts[name] = count;
  }
  return counts;
}

function instantOf(value: unknown, { receivedAt, sentAt }: JournalRecord): number | null {
  const at = parseTimestamp(value);
  return at === null ? null : at + clockDrift(receivedAt, sentAt);
}

function outOfTime(at: number, { receivedAt }: JournalRecord): 'too_old' | 'in_future' | null {
  if (at < receivedAt - MAX_AGE_MS) {
    return 'too_old';
  }
  return at > receivedAt + MAX_FUTURE_MS ? 'in_future' : null;
}
