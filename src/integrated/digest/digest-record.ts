import type { OutcomeCount } from '../../domain/ingest/digest.ts';
import type { NormalisedEvent } from '../../domain/events/event.ts';
import type { FrameMapper } from '../../domain/ports/frame-mapper.ts';
import { termSourceOf } from '../../domain/ingest/term-source.ts';
import { isGroupedAsSent } from '../../domain/events/grouped-as-sent.ts';
import { withoutTransactionOfTrace } from '../../domain/events/trace-transaction.ts';
import { parseTolerantJson } from '../../lib/json/json-tolerant.ts';
import type { JournalRecord } from '../intake/journal-record.ts';
import { culpritOf } from './culprit.ts';
import type { DigestDeps } from './digest-deps.ts';
import { digestItem } from './digest-item.ts';
import type { DigestedRecord, DigestMappedRecord, DigestRecord } from './digested-record.ts';
import { groupHashOf } from './group-hash.ts';
import { addHeaderMembers } from './header-members.ts';
import { groupMapped, type Keys } from './keys-of-mapped.ts';
import { droppedFields } from './normalise/identity-fields.ts';
import { normaliseEvent } from './normalise/normalise-event.ts';
import type { UnpackedEvent } from './packed-events.ts';
import { hideKeys } from './scrub/hide-keys.ts';
import { tagsToCount } from './tags.ts';
import { messageOf, titleOf, typeOf } from './title.ts';
import { userHash, userNames } from './user-hash.ts';

/**
 * Creates the function that converts a journal record to the form of the store. It is pure for given settings, so that
 * a replay gives the same result. An exception is a fault of the program, not of the record.
 */
export function createRecordDigester(deps: DigestDeps): DigestRecord {
  return (record) => {
    const begun = begin(deps, record);
    return 'normalised' in begun ? finish(deps, record, begun, deps.group(begun.normalised)) : begun;
  };
}

/**
 * Creates the function that also finds the original places of frames, before events are grouped. `onAsSent`: called for
 * each event that is grouped as it was sent, because a part of it alone is mapped.
 */
export function createMappingDigester(
  deps: DigestDeps,
  mapper: FrameMapper,
  onAsSent?: () => void,
): DigestMappedRecord {
  return (record) => {
    const begun = begin(deps, record);
    if (!('normalised' in begun)) return begun;
    const { normalised } = begun;
    if (!mapper.mayMap(record.projectId, normalised)) return finish(deps, record, begun, deps.group(normalised));
    return mapper.map(record.projectId, normalised).then((mapped) => {
      const { event, keys } = groupMapped(deps.group, normalised, mapped);
      if (isGroupedAsSent(event)) onAsSent?.();
      return finish(deps, record, { ...begun, normalised: event }, keys);
    });
  };
}

/** Event in its normalised form, before it is grouped. */
interface Begun {
  readonly normalised: NormalisedEvent;
  readonly at: number;
  readonly outcomes: OutcomeCount[];
  readonly scrubber: ReturnType<DigestDeps['scrubberFor']>;
}

/** Digests a record, or an event up to its grouping. */
function begin(deps: DigestDeps, record: JournalRecord): DigestedRecord | Begun {
  const outcomes: OutcomeCount[] = record.outcomes.map((outcome) => countFor(record, outcome));
  if (record.forward !== undefined) {
    // The body may be a view of a buffer that is reused.
    return { event: null, outcomes, forward: { ...record, body: Buffer.from(record.body) } };
  }
  if (record.item !== undefined) {
    const { outcome, ...digested } = digestItem(deps, record, record.item);
    if (outcome !== null) {
      outcomes.push(countFor(record, outcome));
    }
    return { event: null, outcomes, ...digested };
  }
  if (record.eventId === null) {
    return { event: null, outcomes };
  }
  const raw = parseBody(record.body);
  if (raw === undefined) {
    outcomes.push(countFor(record, { category: 'error', outcome: 'invalid', reason: 'invalid_json', quantity: 1 }));
    return { event: null, outcomes };
  }
  const origin = {
    eventId: record.eventId,
    receivedAt: record.receivedAt,
    sentAt: record.sentAt,
    clientIp: record.clientIp,
  };
  const result = normaliseEvent(raw, origin, deps.inApp);
  if (result.kind === 'dropped') {
    const { category, outcome, reason } = result;
    outcomes.push(countFor(record, { category, outcome, reason, quantity: 1 }));
    return { event: null, outcomes };
  }
  for (const name of droppedFields(result.event.notes)) {
    const outcome = { category: 'value', outcome: 'invalid', reason: `invalid_${name}`, quantity: 1 } as const;
    outcomes.push(countFor(record, outcome));
  }
  const scrubber = deps.scrubberFor(record.projectId, deps.projectPath(record.projectId));
  scrubber.beforeGrouping(result.event);
  return { normalised: result.event, at: result.at, outcomes, scrubber };
}

function finish(deps: DigestDeps, record: JournalRecord, begun: Begun, keys: Keys): DigestedRecord {
  return { event: digest(deps, record, begun, keys), outcomes: begun.outcomes };
}

function digest(
  deps: DigestDeps,
  record: JournalRecord,
  { normalised: found, at, scrubber }: Begun,
  { former, sent, ...current }: Keys,
): UnpackedEvent {
  const { projectId } = record;
  if (record.header !== undefined) addHeaderMembers(found, record.header);
  // Runs after grouping: values and source lines are part of the key, and hiding must not change it.
  scrubber.afterGrouping(found);
  const text = JSON.stringify(found);
  const json = hideKeys(text);
  const event = json === text ? found : (JSON.parse(json) as NormalisedEvent);
  const names = userNames(event.user);
  return {
    projectId,
    keyId: record.keyId,
    eventId: event.event_id,
    ...groupHashOf(projectId, current),
    ...(former === undefined ? {} : { formerGroupHashes: former.map((key) => groupHashOf(projectId, key)) }),
    ...(sent === undefined ? {} : { sentGroupHashes: sent.map((key) => groupHashOf(projectId, key)) }),
    at,
    receivedAt: record.receivedAt,
    type: typeOf(event),
    message: messageOf(event),
    title: titleOf(event),
    // The transaction that began a trace may be one of another program.
    culprit: culpritOf(withoutTransactionOfTrace(event)),
    level: event.level,
    platform: event.platform,
    release: event.release,
    environment: event.environment,
    userHash: userHash(deps.userSalt, projectId, event.user),
    ...(names.length === 0 ? {} : { userNames: names }),
    tags: tagsToCount(event),
    terms: termSourceOf(event),
    payload: json,
  };
}

/** Parses JSON; undefined when it is none. Bytes that are no UTF-8 become U+FFFD. */
function parseBody(body: Uint8Array): unknown {
  try {
    return parseTolerantJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8'));
  } catch {
    return undefined;
  }
}

function countFor(
  record: JournalRecord,
  item: Pick<OutcomeCount, 'category' | 'outcome' | 'reason' | 'quantity'>,
): OutcomeCount {
  const { projectId, keyId, receivedAt } = record;
  const { category, outcome, reason, quantity } = item;
  return { projectId, keyId, category, outcome, reason, at: receivedAt, quantity };
}
