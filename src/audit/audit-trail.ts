import { AppError, logFields, type ErrorCode } from '../domain/app-error.ts';
import {
  AUDIT_IDS_PER_MS,
  INSTANCE,
  MAX_AUDIT_NAME,
  type AuditDetails,
  type AuditEntity,
  type AuditEvent,
  type AuditOutcome,
  type AuditTarget,
} from '../domain/audit/audit-event.ts';
import type { AuditEventName } from '../domain/audit/audit-events.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { AuditStore } from '../domain/ports/stores/audit-store.ts';
import { cleanText, cutText } from '../lib/text/clean-text.ts';
import { RefusalLimit } from './refusal-limit.ts';
import { changesBetween, type AuditValues } from './audit-values.ts';

/** Who changes something, and from where. */
export interface AuditAuthor {
  /** Null: no user. */
  readonly id: number | null;
  /** User name, or of no user what it was: `CLI (root)`. */
  readonly name: string;
  /** Null: unknown, or a command on the machine. */
  readonly address: string | null;
  /** Access token of the request; absent: none. */
  readonly tokenId?: number;
}

export interface AuditEntry {
  readonly event: AuditEventName;
  readonly author: AuditAuthor;
  readonly entity: AuditEntity;
  readonly target: AuditTarget;
  /** Values before the change; null or absent: there were none. */
  readonly before?: AuditValues | null;
  /** Values after the change; null or absent: there are none. */
  readonly after?: AuditValues | null;
}

/** What is known only after a change. Absent members stay as the entry has them. */
export type AuditResult = Partial<Pick<AuditEntry, 'entity' | 'target' | 'after'>>;

/** Change whose intent is in the log. Both methods log a failure of the store: the change was made, or not, already. */
export interface StartedChange {
  done(result: AuditResult): Promise<void>;
  failed(error: unknown): Promise<void>;
}

export interface AuditTrailDeps {
  readonly store: Pick<AuditStore, 'addAuditEvent' | 'endAuditEvent'>;
  readonly clock: Clock;
  readonly logger: { warn(bindings: object, message: string): void };
}

/** Codes of failures by which a person was refused. */
const REFUSALS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'unauthorized',
  'invalid_credentials',
  'insufficient_scope',
  'forbidden',
  'project_not_found',
  'group_not_found',
  'rate_limited',
  'sign_on_refused',
  'second_factor_locked',
]);

/**
 * The one writer of the audit log. A change is written as `started` before it is made, so that none can be made which
 * the log does not have: without the store the change is refused. A process that ends in between leaves `started`.
 */
export class AuditTrail {
  readonly #deps: AuditTrailDeps;
  /** Last id that was tried here: events of one process keep their order. */
  #last = 0;
  readonly #refusals: RefusalLimit;

  constructor(deps: AuditTrailDeps) {
    this.#deps = deps;
    this.#refusals = new RefusalLimit(deps.clock);
  }

  /** Writes an event that is complete: what it says is done. Throws `store_unavailable`; write it before the act. */
  async record(entry: AuditEntry, details: Pick<AuditDetails, 'code' | 'leftOut'> = {}): Promise<void> {
    const outcome = details.code === undefined ? 'done' : outcomeOf(details.code);
    await this.#add(entry, outcome, { ...detailsOf(entry, entry.after ?? null), ...details });
  }

  /**
   * Writes that somebody was refused, unless there are too many of them: `writeLeftOut` writes their number. Never
   * throws: the refusal stands without it.
   */
  async refused(entry: AuditEntry, code: ErrorCode): Promise<void> {
    if (this.#refusals.take(entry.author.address)) await this.record(entry, { code }).catch(this.#notWritten);
  }

  /** Writes one event with the number of refusals since the last call that have none of their own. */
  async writeLeftOut(): Promise<void> {
    const { count, addresses } = this.#refusals.leftOut();
    if (count === 0) return;
    const [address = null] = addresses.size === 1 ? addresses : [];
    const author = { id: null, name: 'several requests', address };
    const target = { type: 'Requests', id: null, name: 'refused requests' };
    const entry = { event: 'access_refused', author, entity: INSTANCE, target } as const;
    await this.record(entry, { code: 'rate_limited', leftOut: count });
    this.#refusals.written(count);
  }

  readonly #notWritten = (error: unknown): void => {
    this.#deps.logger.warn(logFields(error), 'a refusal is not in the audit log');
  };

  /** Writes that a change begins. Throws `store_unavailable`: the change must not be made then. */
  async begin(entry: AuditEntry): Promise<StartedChange> {
    const started = await this.#add(entry, 'started', detailsOf({ ...entry, before: null }, null));
    return {
      done: (result) => {
        const { entity = entry.entity, target = entry.target, after = entry.after ?? null } = result;
        return this.#end(started, 'done', { ...entry, entity, target }, detailsOf(entry, after));
      },
      failed: (error) => {
        const code = error instanceof AppError ? error.code : 'internal';
        return this.#end(started, outcomeOf(code), entry, { ...detailsOf({ ...entry, before: null }, null), code });
      },
    };
  }

  /** Makes a change that is in the log before it is made. `result`: what is known only then. */
  async around<T>(
    entry: AuditEntry,
    change: () => Promise<T>,
    result: (made: T) => AuditResult | Promise<AuditResult> = () => ({}),
  ): Promise<T> {
    const started = await this.begin(entry);
    let made: T;
    try {
      made = await change();
    } catch (error) {
      await started.failed(error);
      throw error;
    }
    await started.done(
      await Promise.resolve(made)
        .then(result)
        .catch((error: unknown) => this.#unknown(error)),
    );
    return made;
  }

  /** What a change has led to could not be read: the log has that it was made. */
  #unknown(error: unknown): AuditResult {
    this.#deps.logger.warn(logFields(error), 'the audit log has a change without its values: they could not be read');
    return {};
  }

  async #add(entry: AuditEntry, outcome: AuditOutcome, details: AuditDetails): Promise<AuditEvent> {
    const { event, author } = entry;
    const { store, clock } = this.#deps;
    for (;;) {
      this.#last = Math.max(this.#last + 1, clock.now() * AUDIT_IDS_PER_MS);
      const row: AuditEvent = {
        ...{ id: this.#last, event, outcome, details },
        ...{ authorId: author.id, authorName: nameOf(author.name), address: author.address },
        ...placesOf(entry),
      };
      if (await store.addAuditEvent(row)) return row;
    }
  }

  async #end(
    { id, event }: AuditEvent,
    outcome: AuditOutcome,
    entry: Pick<AuditEntry, 'entity' | 'target'>,
    details: AuditDetails,
  ): Promise<void> {
    try {
      const { targetType: _targetType, ...places } = placesOf(entry);
      await this.#deps.store.endAuditEvent(id, { outcome, details, ...places });
    } catch (error) {
      this.#deps.logger.warn(
        { ...logFields(error), event, audit_event: id },
        'the outcome of a change is not in the audit log, which has that it was started',
      );
    }
  }
}

const nameOf = (text: string): string => cutText(cleanText(text), MAX_AUDIT_NAME);

function placesOf({ entity, target }: Pick<AuditEntry, 'entity' | 'target'>) {
  return {
    ...{ entityType: entity.type, entityId: entity.id, entityPath: nameOf(entity.path) },
    ...{ targetType: target.type, targetId: target.id, targetName: nameOf(target.name) },
  };
}

function outcomeOf(code: string): AuditOutcome {
  return REFUSALS.has(code as ErrorCode) ? 'refused' : 'failed';
}

function detailsOf({ author, before = null }: AuditEntry, after: AuditValues | null): AuditDetails {
  const { tokenId } = author;
  return { changes: changesBetween(before, after), ...(tokenId === undefined ? {} : { tokenId }) };
}
