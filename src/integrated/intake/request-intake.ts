import { AppError } from '../../domain/app-error.ts';
import type { IntakeOutcome } from '../../domain/ingest/digest.ts';
import type { IngestAnswer, IngestGrant, IngestRequest, Intake, OpenedRequest } from '../../domain/ports/intake.ts';
import { ByteBudget } from './limits/byte-budget.ts';
import { draftOfEnvelope } from './envelope-draft.ts';
import { type EnvelopeHead, readEnvelopeHead, readEnvelopeItems } from './read/envelope.ts';
import { inflate } from './inflate/inflate.ts';
import type { IntakeLimits } from './limits/intake-limits.ts';
import { forwardOfEnvelope, forwardOfStore } from './forward-record.ts';
import { keepDraft, type KeepDeps } from './keep-draft.ts';
import { limitReached } from './limits/limit-reached.ts';
import type { LimitHit, RateLimits } from './limits/rate-limits.ts';
import { type HeldBody, readBody } from './read-body.ts';
import type { RefusalLedger } from './refusal-ledger.ts';
import { refusedItems } from './refused-items.ts';
import { decodeStoreBody } from './store-body.ts';
import { draftOfStore } from './store-draft.ts';
import { tooManyItems } from './too-many-items.ts';

export interface RequestIntakeDeps extends KeepDeps {
  readonly limits: IntakeLimits;
  readonly rates: Pick<RateLimits, 'take' | 'flooded'>;
  readonly ledger: Pick<RefusalLedger, 'add'>;
}

/** Inflated body in memory, until its request ends. */
interface OpenBody {
  readonly held: HeldBody;
  readonly bytes: Buffer;
}

interface OpenEnvelope extends OpenBody {
  /** Header of the envelope; null for another body. */
  readonly head: EnvelopeHead | null;
}

/** Maximum bytes of all bodies in memory, as a multiple of the largest allowed one; see `ByteBudget`. */
const BODIES_IN_MEMORY = 4;
/** Retry-After in seconds for requests above the bound of concurrent requests. */
const BUSY_RETRY_SECONDS = 5;

/** Turns a raw stream into durable records. Stores nothing of a refused request, but counts its items. */
export class RequestIntake implements Intake {
  readonly #deps: RequestIntakeDeps;
  readonly #budget: ByteBudget;
  #inFlight = 0;

  constructor(deps: RequestIntakeDeps) {
    this.#deps = deps;
    this.#budget = new ByteBudget(deps.limits.maxRequestBytes * BODIES_IN_MEMORY);
  }

  async open(request: IngestRequest): Promise<OpenedRequest> {
    const isStore = request.kind === 'store' && !isEnvelopeType(request.contentType);
    this.#inFlight += 1;
    try {
      if (this.#inFlight > this.#deps.limits.maxRequestsInFlight) {
        throw busy();
      }
      // The key of a store request stands outside its body, so the body is not read yet.
      const envelope = isStore ? null : await this.#readEnvelope(request);
      return this.#opened(request, envelope);
    } catch (error) {
      this.#inFlight -= 1;
      this.#countRefusal(request.grant, isStore, error);
      throw error;
    }
  }

  countRefused(grant: IngestGrant, kind: IngestRequest['kind'], reason: string): void {
    const category = kind === 'store' ? 'error' : 'default';
    this.#count(grant, [{ category, outcome: 'filtered', reason, quantity: 1 }]);
  }

  /** `envelope` null: a store request. */
  #opened(request: IngestRequest, envelope: OpenEnvelope | null): OpenedRequest {
    const dsn = envelope?.head?.header['dsn'];
    const end = (): void => {
      this.#inFlight -= 1;
      envelope?.held.release();
    };
    return {
      dsn: typeof dsn === 'string' && dsn !== '' ? dsn : null,
      keep: async (grant) => {
        try {
          return envelope === null
            ? await this.#keepStore(request, grant)
            : await this.#keepEnvelope(request, grant, envelope);
        } catch (error) {
          this.#countRefusal(grant, envelope === null, error);
          throw error;
        } finally {
          end();
        }
      },
      refuse: (error) => {
        end();
        this.#countRefusal(request.grant, envelope === null, error);
      },
    };
  }

  async #readEnvelope(request: IngestRequest): Promise<OpenEnvelope> {
    if (request.grant !== null) refuseAtLimit(this.#deps.rates.flooded(request.grant));
    const body = await this.#read(request);
    return { ...body, head: readEnvelopeHead(body.bytes) };
  }

  async #keepEnvelope(request: IngestRequest, grant: IngestGrant, envelope: OpenEnvelope): Promise<IngestAnswer> {
    const { bytes, head } = envelope;
    const { limits, rates } = this.#deps;
    if (head === null) {
      throw new AppError('ingest_invalid', 'The body is not an envelope: its first line must be a JSON object.', {
        details: { outcome: 'malformed_envelope' },
      });
    }
    const read = readEnvelopeItems(bytes, head.itemsAt);
    if (read.problem === 'too_many_items') {
      throw await tooManyItems(bytes, head.itemsAt);
    }
    const draft = draftOfEnvelope(head.header, read, limits.maxEventBytes, (kind) => rates.take(grant, kind, 1));
    if (draft.limits.length > 0 && draft.events.length + draft.items.length === 0) {
      throw limitReached(draft.limits, draft.outcomes);
    }
    const forward =
      grant.forwardUntil === undefined
        ? null
        : forwardOfEnvelope(request, grant, this.#deps.clock.now(), envelope.held.bytes, read.items, draft);
    return keepDraft(this.#deps, request, grant, draft, forward);
  }

  /** Stores a store request. Its body holds one event, so the limits are checked before it is read. */
  async #keepStore(request: IngestRequest, grant: IngestGrant): Promise<IngestAnswer> {
    refuseAtLimit(this.#deps.rates.take(grant, 'events', 1));
    const { held, bytes } = await this.#read(request);
    try {
      const event = await decodeStoreBody(bytes, this.#deps.limits.maxEventBytes);
      const draft = draftOfStore(event);
      const forward =
        grant.forwardUntil === undefined ? null : forwardOfStore(request, grant, this.#deps.clock.now(), event, draft);
      return await keepDraft(this.#deps, request, grant, draft, forward);
    } finally {
      held.release();
    }
  }

  async #read({ body, contentEncoding }: IngestRequest): Promise<OpenBody> {
    const { limits } = this.#deps;
    const held = await readBody(body, limits, this.#budget);
    if (contentEncoding === undefined && held.bytes.length <= limits.maxInflatedBytes) {
      return { held, bytes: held.bytes };
    }
    try {
      return { held, bytes: await inflate(held.bytes, contentEncoding, limits.maxInflatedBytes) };
    } catch (error) {
      held.release();
      throw error;
    }
  }

  #countRefusal(grant: IngestGrant | null, isStore: boolean, error: unknown): void {
    if (grant !== null) this.#count(grant, refusedItems(error, isStore ? 'store' : 'envelope'));
  }

  #count(grant: IngestGrant, items: readonly IntakeOutcome[]): void {
    for (const item of items) {
      this.#deps.ledger.add(grant, item);
    }
  }
}

function refuseAtLimit(limit: LimitHit | null): void {
  if (limit !== null) throw limitReached([limit]);
}

function isEnvelopeType(contentType: string | undefined): boolean {
  return contentType !== undefined && /^\s*application\/x-sentry-envelope\b/i.test(contentType);
}

function busy(): AppError {
  return new AppError('ingest_unavailable', 'Too many requests are in flight at the moment. Send it again.', {
    retryAfterSeconds: BUSY_RETRY_SECONDS,
    details: { reason: 'busy' },
  });
}
