import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IngestAnswer, IngestGrant, IngestRequest } from '../../domain/ports/intake.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { JournalRecord } from './journal-record.ts';
import type { RecordSink } from './record-sink.ts';
import { withItems } from './refused-items.ts';
import type { RequestDraft } from './request-draft.ts';

export interface KeepDeps {
  readonly sink: RecordSink;
  readonly clock: Clock;
  readonly metrics: Pick<Metrics, 'accepted' | 'dropped'>;
}

const NO_BODY = new Uint8Array(0);
const NO_OUTCOMES: readonly IntakeOutcome[] = [];

/**
 * Writes all records of the request at once and counts the outcome of every item. `forward`: the request itself, to be
 * forwarded; null: its project has no forward.
 */
export async function keepDraft(
  { sink, clock, metrics }: KeepDeps,
  request: IngestRequest,
  grant: IngestGrant,
  draft: RequestDraft,
  forward: JournalRecord | null,
): Promise<IngestAnswer> {
  const { events, outcomes, limits } = draft;
  const records = recordsOf(request, grant, draft, clock.now());
  if (forward !== null) {
    records.push(forward);
  }
  if (records.length > 0) {
    try {
      await sink.append(records);
    } catch (error) {
      throw withItems(error, draft);
    }
  }
  if (events.length > 0) {
    metrics.accepted.inc(events.length);
  }
  for (const { category, outcome, reason, quantity } of outcomes) {
    // Items that the client discarded never arrived, so they are not counted as dropped here.
    if (outcome !== 'client_discard') {
      metrics.dropped.inc({ category, reason }, quantity);
    }
  }
  return { eventId: events[0]?.id ?? null, limits };
}

/** Builds one record per stored event and item. The first one carries the outcomes, alone where nothing is stored. */
function recordsOf(
  { clientIp, client }: IngestRequest,
  { projectId, keyId }: IngestGrant,
  { events, items, outcomes, sentAt }: RequestDraft,
  receivedAt: number,
): JournalRecord[] {
  const recordOf = (eventId: string | null, ofRecord: readonly IntakeOutcome[], body: Uint8Array): JournalRecord => ({
    projectId,
    keyId,
    receivedAt,
    eventId,
    sentAt,
    clientIp,
    client,
    outcomes: ofRecord,
    body,
  });
  const records = events.map(({ id, body, header }, index) => {
    const record = recordOf(id, index === 0 ? outcomes : NO_OUTCOMES, body);
    return header === undefined ? record : { ...record, header };
  });
  for (const { item, id, body } of items) {
    records.push({ ...recordOf(id, records.length === 0 ? outcomes : NO_OUTCOMES, body), item });
  }
  if (records.length === 0 && outcomes.length > 0) {
    records.push(recordOf(null, outcomes, NO_BODY));
  }
  return records;
}
