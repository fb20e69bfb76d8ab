import { AppError } from '../../../domain/app-error.ts';
import {
  auditTime,
  firstAuditId,
  INSTANCE,
  type AuditEntity,
  type AuditEvent,
} from '../../../domain/audit/audit-event.ts';
import type { AuditQuery, AuditStore } from '../../../domain/ports/stores/audit-store.ts';
import { BYTE_ORDER_MARK, csvRecord } from '../../../lib/csv.ts';
import { decodeCursorText, encodeCursorText } from '../../../lib/text/cursor-text.ts';
import { isoTime } from '../../http/iso-time.ts';
import type { AuditFilters } from './audit-schema.ts';

type EntityRef = Pick<AuditEntity, 'type' | 'id'>;
type Listed = Pick<AuditStore, 'listAuditEvents'>;

/** Returns the entity that a request names; null: all. */
function entityOf({ entity_type: type, entity_id: id }: AuditFilters): EntityRef | null {
  if (type === undefined && id === undefined) return null;
  if (type === INSTANCE.type && id === undefined) return INSTANCE;
  if (type === undefined || id === undefined || type === INSTANCE.type) {
    throw new AppError('invalid_parameter', 'entity_type and entity_id must be given together; Instance has no id');
  }
  return { type, id };
}

/** Returns the query of the filters. `entity`: that of the path; null: the filters may name one. */
export function auditQuery(filters: AuditFilters, entity: EntityRef | null): Omit<AuditQuery, 'limit'> {
  const { created_after: after, created_before: before, author_id: authorId = null } = filters;
  return {
    entity: entity ?? entityOf(filters),
    ...{ authorId, event: filters.event_name ?? null, outcome: filters.outcome ?? null },
    from: after === undefined ? null : firstAuditId(Date.parse(after)),
    // Events of that millisecond too.
    below: before === undefined ? null : firstAuditId(Date.parse(before) + 1),
  };
}

/** Returns the least id of the page before. Throws `bad_request` for a cursor of another list. */
function placeOf(cursor: string, madeFor: string): number {
  const [query, id] = decodeCursorText(cursor);
  if (!Number.isSafeInteger(id)) throw new AppError('bad_request', 'cursor is not a cursor of this list');
  if (query !== madeFor) {
    throw new AppError('bad_request', 'cursor belongs to another query: after changing it, start without a cursor');
  }
  return id as number;
}

export interface AuditPage {
  readonly events: readonly AuditEvent[];
  /** Null: there are no more. */
  readonly next: string | null;
}

/** Reads one page, the newest first. */
export async function auditPage(
  store: Listed,
  query: Omit<AuditQuery, 'limit'>,
  limit: number,
  cursor: string | null,
): Promise<AuditPage> {
  const madeFor = JSON.stringify(query);
  const below = cursor === null ? query.below : placeOf(cursor, madeFor);
  const found = await store.listAuditEvents({ ...query, below, limit: limit + 1 });
  const events = found.slice(0, limit);
  const last = events.at(-1);
  const next = found.length > limit && last !== undefined ? encodeCursorText([madeFor, last.id]) : null;
  return { events, next };
}

const COLUMNS = [
  ...(['id', 'created_at', 'event_name', 'outcome', 'author_id', 'author_name', 'ip_address'] as const),
  ...(['entity_type', 'entity_id', 'entity_path', 'target_type', 'target_id', 'target_details'] as const),
  ...(['changes', 'code', 'token_id', 'left_out'] as const),
] as const;

/** Events read at a time. */
const READ_AT_ONCE = 500;

function auditRecord(event: AuditEvent): string {
  const { changes, code = null, tokenId = null, leftOut = null } = event.details;
  const changed = changes.map(({ name, from, to }) => `${name}: ${from ?? '–'} → ${to ?? '–'}`).join('; ');
  return csvRecord([
    ...[event.id, isoTime(auditTime(event)), event.event, event.outcome],
    ...[event.authorId, event.authorName, event.address],
    ...[event.entityType, event.entityId, event.entityPath],
    ...[event.targetType, event.targetId, event.targetName],
    ...[changed, code, tokenId, leftOut],
  ]);
}

/** Returns all events of a query as CSV, in parts, the newest first. */
export async function* auditCsv(
  store: Listed,
  query: Omit<AuditQuery, 'limit'>,
  { byteOrderMark, signal }: { readonly byteOrderMark: boolean; readonly signal: AbortSignal },
): AsyncGenerator<string> {
  yield byteOrderMark ? `${BYTE_ORDER_MARK}${csvRecord(COLUMNS)}` : csvRecord(COLUMNS);
  let { below } = query;
  for (;;) {
    const events = await store.listAuditEvents({ ...query, below, limit: READ_AT_ONCE });
    if (events.length > 0) yield events.map(auditRecord).join('');
    const last = events.at(-1);
    if (last === undefined || events.length < READ_AT_ONCE) return;
    below = last.id;
    signal.throwIfAborted();
  }
}
