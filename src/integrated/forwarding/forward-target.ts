import { promisify } from 'node:util';
import { gzip as gzipCallback } from 'node:zlib';
import { AppError } from '../../domain/app-error.ts';
import { envelopeUrl, parseTargetDsn, sentryAuth, type TargetDsn } from '../../domain/projects/dsn.ts';
import { FORWARDED_HEADER } from '../../domain/ingest/forward.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { EnvelopeAnswer, SendEnvelope } from '../../domain/ports/envelope-sender.ts';
import { sleep, type Sleep } from '../../lib/back-off.ts';
import type { JournalRecord } from '../intake/journal-record.ts';
import { CategoryPauses, retryAfterMs } from './category-pauses.ts';
import type { LaneReader, SpoolEntry } from './lane-reader.ts';
import type { MarkQueue } from './mark-queue.ts';
import { targetEnvelope, type TargetEnvelope } from './target-envelope.ts';
import { TargetHealth } from './target-health.ts';

const gzip = promisify(gzipCallback);

/** Bodies of at least this many bytes are compressed. */
const GZIP_FROM_BYTES = 1024;
/** Instances in `X-Errgate-Forwarded` after which a request is not sent on. */
const MAX_HOPS = 8;
/** Answers with 5xx to one request, each after another one succeeded, after which it is given up. */
const MAX_OWN_FAILURES = 3;
/** Answers that limit the category of an event although they took its envelope, after which it is given up. */
const MAX_LIMITED = 3;
/** Events that the target took and the store does not know yet; beyond it nothing is sent. */
const MAX_UNMARKED = 1000;
/** Milliseconds between looks at a condition that a sender waits for. */
const LOOK_MS = 250;

/** Result of a request or an item; a closed set, used as a label of metrics. */
export const FORWARD_RESULTS = [
  'sent',
  'refused',
  'rate_limited',
  'expired',
  'overflow',
  'loop',
  'unreadable',
  'server_error',
  'removed',
  'unwritten',
] as const;
export type ForwardResult = (typeof FORWARD_RESULTS)[number];

export interface ForwardTargetOptions {
  /** The DSN with its key. Throws AppError when it cannot be decrypted. Called for each request. */
  readonly dsn: () => string;
  /** Id of this instance, the same in all of its gateways. */
  readonly instanceId: string;
  readonly send: SendEnvelope;
  readonly marks: MarkQueue;
  readonly clock: Clock;
  /** Milliseconds after receipt at which a request is given up. */
  readonly maxAgeMs: number;
  /** Bound of an inflated request. */
  readonly maxInflatedBytes: number;
  readonly signal: AbortSignal;
  readonly count: (result: ForwardResult, quantity: number) => void;
  readonly sleep?: Sleep;
  readonly random?: () => number;
}

/** Sends entries of the lanes of one project to its target. Any number of calls of `deliver` may run at once. */
export class ForwardTarget {
  readonly health: TargetHealth;
  readonly #options: ForwardTargetOptions;
  readonly #pauses = new CategoryPauses();
  readonly #sleep: Sleep;
  /** True while a request tries whether a failing target works again. */
  #probing = false;
  /** Time of the last request with an event; 0: none yet. */
  sentAt = 0;

  constructor(options: ForwardTargetOptions) {
    this.#options = options;
    this.#sleep = options.sleep ?? sleep;
    this.health = new TargetHealth(options.random ?? Math.random);
  }

  /** Sends an entry until the target takes or refuses it, or it is given up. Ends early when the signal aborts. */
  async deliver(lane: LaneReader, entry: SpoolEntry): Promise<void> {
    const state = { ownFailures: 0, successes: -1, limited: 0 };
    const giveUp = (result: ForwardResult): void => {
      // Given up by the bound of the spool, which has counted it.
      if (entry.finished) return;
      lane.countDropped(1);
      this.#options.count(result, 1);
      lane.finish(entry);
    };
    const { signal } = this.#options;
    while (!signal.aborted && !entry.finished) {
      const reason = this.#reasonToStop(entry.record);
      if (reason !== null) {
        giveUp(reason);
        return;
      }
      const waitMs = this.#waitMs(entry.record);
      if (waitMs > 0) {
        // Looks again now and then: the entry may be given up, or another request may have succeeded.
        await this.#sleep(Math.min(waitMs, LOOK_MS), signal);
        continue;
      }
      const isProbe = this.health.failing;
      this.#probing ||= isProbe;
      try {
        const outcome = await this.#attempt(lane, entry, state);
        if (outcome === 'done') return;
        if (outcome !== 'again') {
          giveUp(outcome);
          return;
        }
      } finally {
        if (isProbe) this.#probing = false;
      }
    }
  }

  #reasonToStop({ receivedAt, forward }: JournalRecord): ForwardResult | null {
    const { clock, maxAgeMs, instanceId } = this.#options;
    if (clock.now() - receivedAt >= maxAgeMs) return 'expired';
    const hops = forward?.via?.split(',').map((id) => id.trim()) ?? [];
    return hops.includes(instanceId) || hops.length >= MAX_HOPS ? 'loop' : null;
  }

  /** Milliseconds in which the target takes nothing, or no events, or another request tries; 0: send now. */
  #waitMs({ forward }: JournalRecord): number {
    const { clock, marks } = this.#options;
    const now = clock.now();
    const pauseMs = forward?.hasEvent === true ? this.#pauses.waitMs('error', now) : this.#pauses.allMs(now);
    const blocked = (this.health.failing && this.#probing) || marks.size >= MAX_UNMARKED;
    return Math.max(pauseMs, this.health.waitMs(now), blocked ? LOOK_MS : 0);
  }

  async #attempt(
    lane: LaneReader,
    entry: SpoolEntry,
    state: { ownFailures: number; successes: number; limited: number },
  ): Promise<'done' | 'again' | ForwardResult> {
    const { clock, count, marks, maxInflatedBytes, signal } = this.#options;
    let envelope: TargetEnvelope;
    let answer: EnvelopeAnswer;
    try {
      const dsn = parseTargetDsn(this.#options.dsn());
      if (dsn === null) throw new AppError('invalid_configuration', 'the stored DSN of the forward is unreadable');
      const now = clock.now();
      const isPaused = (category: string): boolean => this.#pauses.waitMs(category, now) > 0;
      const made = await targetEnvelope(entry.record, dsn, isPaused, maxInflatedBytes);
      if (made === 'unreadable') return 'unreadable';
      if (made === 'nothing_left') return 'rate_limited';
      envelope = made;
      answer = await this.#send(entry.record, dsn, made.body);
    } catch (error) {
      if (signal.aborted) return 'again';
      this.health.failed(error instanceof AppError ? error.message : 'the request failed', clock.now());
      return 'again';
    }
    const now = clock.now();
    const { status } = answer;
    const limited = this.#pauses.take(status, answer.rateLimits, answer.retryAfter, now);
    if (status === 429) {
      this.health.answered();
      this.health.note('the target limits the rate of requests (status 429)', now);
      return 'again';
    }
    if (status >= 500 || status === 408 || status < 200 || (status >= 300 && status < 400)) {
      this.health.failed(failureOf(status), now, retryAfterMs(answer.retryAfter, now) ?? 0);
      return status >= 500 && this.#isItsOwnFault(state) ? 'server_error' : 'again';
    }
    if (status >= 400) {
      this.health.answered();
      this.health.note(`the target refuses requests with status ${status}: check the DSN and the project there`, now);
      return 'refused';
    }
    this.health.succeeded(now);
    const eventLimited =
      envelope.eventId !== null && limited.some((category) => category === 'error' || category === '');
    if (eventLimited) {
      // The envelope was taken without its event, which is sent once more; the target recognises what it has by its id.
      state.limited += 1;
      return state.limited < MAX_LIMITED ? 'again' : 'rate_limited';
    }
    if (envelope.leftOut.length > 0) {
      lane.countDropped(envelope.leftOut.length);
      count('rate_limited', envelope.leftOut.length);
    }
    count('sent', 1);
    if (envelope.eventId === null) lane.finish(entry);
    else marks.add(envelope.eventId, () => lane.finish(entry));
    return 'done';
  }

  /** True when the target answers 5xx to this request again and again while others succeed. */
  #isItsOwnFault(state: { ownFailures: number; successes: number }): boolean {
    const { successes } = this.health;
    if (state.successes !== -1 && successes > state.successes) state.ownFailures += 1;
    state.successes = successes;
    return state.ownFailures >= MAX_OWN_FAILURES;
  }

  async #send(record: JournalRecord, dsn: TargetDsn, body: Buffer): Promise<EnvelopeAnswer> {
    const { instanceId, send, signal, clock } = this.#options;
    const { forward, client, clientIp } = record;
    const compressed = body.length >= GZIP_FROM_BYTES;
    const via = forward?.via ?? null;
    const headers = {
      'Content-Type': 'application/x-sentry-envelope',
      ...(compressed ? { 'Content-Encoding': 'gzip' } : {}),
      'X-Sentry-Auth': sentryAuth(dsn, client ?? 'errgate'),
      'User-Agent': printable(forward?.userAgent ?? 'errgate'),
      ...(clientIp === null ? {} : { 'X-Forwarded-For': clientIp }),
      [FORWARDED_HEADER]: via === null ? instanceId : `${printable(via)}, ${instanceId}`,
    };
    const url = envelopeUrl(dsn);
    const bytes = compressed ? await gzip(body) : body;
    const note = (): void => {
      if (forward?.hasEvent === true) this.sentAt = clock.now();
    };
    note();
    try {
      return await send({ url, headers, body: bytes }, signal);
    } finally {
      note();
    }
  }
}

function failureOf(status: number): string {
  return status >= 300 && status < 400
    ? `the target answers with a redirect (status ${status}), which is not followed: correct the address in the DSN`
    : `the target answers with status ${status}`;
}

/** Removes what no header may contain. */
function printable(text: string): string {
  return text.replace(/[^\x20-\x7e]/g, '?');
}
