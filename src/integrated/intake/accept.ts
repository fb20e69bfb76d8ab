import { AppError } from '../../domain/app-error.ts';
import type { IntakeOutcome } from '../../domain/digest.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { IngestAnswer, IngestGrant, IngestRequest, Intake } from '../../domain/ports/intake.ts';
import type { Metrics } from '../../observability/metrics.ts';
import { ByteBudget } from './byte-budget.ts';
import { draftOfEnvelope } from './envelope-draft.ts';
import { readEnvelopeHead, readEnvelopeItems } from './envelope.ts';
import { inflate } from './inflate.ts';
import type { IntakeLimits } from './intake-limits.ts';
import type { JournalRecord } from './journal-record.ts';
import { limitReached } from './limits/limit-reached.ts';
import type { RateLimits } from './limits/rate-limits.ts';
import { readBody } from './read-body.ts';
import type { RecordSink } from './record-sink.ts';
import type { RefusalLedger } from './refusal-ledger.ts';
import { refusedItems, withItems } from './refused-items.ts';
import type { RequestDraft } from './request-draft.ts';
import { draftOfStore } from './store-draft.ts';
import { tooManyItems } from './too-many-items.ts';

export interface IntakeDeps {
  readonly sink: RecordSink;
  readonly clock: Clock;
  readonly limits: IntakeLimits;
  readonly rates: Pick<RateLimits, 'take' | 'flooded'>;
  readonly ledger: Pick<RefusalLedger, 'add'>;
  readonly metrics: Pick<Metrics, 'accepted' | 'dropped'>;
}

/** Bodies in memory at once, bytes, as a multiple of the largest allowed one; see `ByteBudget`. */
const BODIES_IN_MEMORY = 4;
/** Seconds after which a sender turned away by the bound of requests in flight may try again. */
const BUSY_RETRY_SECONDS = 5;

/** From raw stream to durable record; nothing is kept of a request that is refused, but its items are counted. */
export function createIntake(deps: IntakeDeps): Intake {
  const budget = new ByteBudget(deps.limits.maxRequestBytes * BODIES_IN_MEMORY);
  const count = (grant: IngestGrant, items: readonly IntakeOutcome[]): void => {
    for (const item of items) {
      deps.ledger.add(grant, item);
    }
  };
  let inFlight = 0;
  return {
    async accept(request) {
      let grant = request.grant;
      const authorise = async (dsn: string | null): Promise<IngestGrant> => (grant = await request.authorise(dsn));
      const isStore = request.kind === 'store' && !isEnvelopeType(request.contentType);
      inFlight += 1;
      try {
        if (inFlight > deps.limits.maxRequestsInFlight) {
          throw busy();
        }
        // A store request can only be authorised by what stands outside of its body: refuse before reading.
        const early = grant ?? (isStore ? await authorise(null) : null);
        refuseUnread(deps, early, isStore);
        const held = await readBody(request.body, deps.limits, budget);
        try {
          const body = await inflate(held.bytes, request.contentEncoding, deps.limits.maxInflatedBytes);
          return isStore && early !== null
            ? await keep(deps, request, early, await draftOfStore(body, deps.limits.maxEventBytes))
            : await acceptEnvelope(deps, { ...request, authorise }, body);
        } finally {
          held.release();
        }
      } catch (error) {
        if (grant !== null) {
          count(grant, refusedItems(error, isStore ? 'store' : 'envelope'));
        }
        throw error;
      } finally {
        inFlight -= 1;
      }
    },
    countRefused(grant, kind, reason) {
      count(grant, [{ category: kind === 'store' ? 'error' : 'default', outcome: 'filtered', reason, quantity: 1 }]);
    },
  };
}

/** A store body holds one event, so that its limits decide before a byte of it is read. */
function refuseUnread({ rates }: IntakeDeps, grant: IngestGrant | null, isStore: boolean): void {
  const limit = grant === null ? null : isStore ? rates.take(grant, 'events', 1) : rates.flooded(grant);
  if (limit !== null) {
    throw limitReached([limit]);
  }
}

async function acceptEnvelope(deps: IntakeDeps, request: IngestRequest, body: Buffer): Promise<IngestAnswer> {
  const head = readEnvelopeHead(body);
  const dsn = head?.header['dsn'];
  const grant =
    typeof dsn === 'string' && dsn !== ''
      ? await request.authorise(dsn)
      : (request.grant ?? (await request.authorise(null)));
  if (head === null) {
    throw new AppError('ingest_invalid', 'The body is not an envelope: its first line must be a JSON object.', {
      details: { outcome: 'malformed_envelope' },
    });
  }
  const read = readEnvelopeItems(body, head.itemsAt);
  if (read.problem === 'too_many_items') {
    throw await tooManyItems(body, head.itemsAt);
  }
  const draft = draftOfEnvelope(head.header, read, deps.limits.maxEventBytes, (kind) =>
    deps.rates.take(grant, kind, 1),
  );
  if (draft.limits.length > 0 && draft.events.length + draft.items.length === 0) {
    throw limitReached(draft.limits, draft.outcomes);
  }
  return keep(deps, request, grant, draft);
}

/** Writes all records of the request in one go and counts what became of it. */
async function keep(
  deps: IntakeDeps,
  request: IngestRequest,
  grant: IngestGrant,
  draft: RequestDraft,
): Promise<IngestAnswer> {
  const { events, items, outcomes, limits } = draft;
  const receivedAt = deps.clock.now();
  const recordOf = (eventId: string | null, ofRecord: readonly IntakeOutcome[], body: Uint8Array): JournalRecord => ({
    projectId: grant.projectId,
    keyId: grant.keyId,
    receivedAt,
    eventId,
    sentAt: draft.sentAt,
    clientIp: request.clientIp,
    client: request.client,
    outcomes: ofRecord,
    body,
  });
  const records = events.map((event, index) => recordOf(event.id, index === 0 ? outcomes : NO_OUTCOMES, event.body));
  for (const { item, id, body } of items) {
    records.push({ ...recordOf(id, records.length === 0 ? outcomes : NO_OUTCOMES, body), item });
  }
  if (records.length === 0 && outcomes.length > 0) {
    records.push(recordOf(null, outcomes, NO_BODY));
  }
  if (records.length > 0) {
    try {
      await deps.sink.append(records);
    } catch (error) {
      throw withItems(error, draft);
    }
  }
  if (events.length > 0) {
    deps.metrics.accepted.inc(events.length);
  }
  for (const { category, outcome, reason, quantity } of outcomes) {
    // What a client discarded was never here to be dropped.
    if (outcome !== 'client_discard') {
      deps.metrics.dropped.inc({ category, reason }, quantity);
    }
  }
  return { eventId: events[0]?.id ?? null, limits };
}

const NO_BODY = new Uint8Array(0);
const NO_OUTCOMES: readonly IntakeOutcome[] = [];

function isEnvelopeType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*application\/x-sentry-envelope\b/i.test(contentType);
}

function busy(): AppError {
  return new AppError('ingest_unavailable', 'Too many requests are in flight at the moment. Send it again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
    details: { reason: 'busy' },
  });
}
