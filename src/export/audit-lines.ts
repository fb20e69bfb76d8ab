import { auditTime, firstAuditId, type AuditEvent } from '../domain/audit/audit-event.ts';
import type { AuditStore } from '../domain/ports/stores/audit-store.ts';

/** Events read at a time. */
const READ_AT_ONCE = 500;

function auditLine({ id, event, outcome, details, entityId, ...more }: AuditEvent): object {
  const { changes, tokenId = null, code = null } = details;
  return {
    id: String(id),
    event,
    dateCreated: new Date(auditTime({ id })).toISOString(),
    outcome,
    user: { id: more.authorId, name: more.authorName, ip_address: more.address, token_id: tokenId },
    target: { type: more.targetType, id: more.targetId, name: more.targetName },
    data: { changes, code },
    _errgate: { project_id: entityId, path: more.entityPath },
  };
}

/** Returns the events of a project since a time (null: all), newest first. */
export async function* auditLines(
  store: Pick<AuditStore, 'listAuditEvents'>,
  projectId: number,
  since: number | null,
): AsyncGenerator<object> {
  const any = { authorId: null, event: null, outcome: null } as const;
  const query = { ...any, entity: { type: 'Project', id: projectId }, limit: READ_AT_ONCE } as const;
  const from = since === null ? null : firstAuditId(since);
  for (let below: number | null = null; ;) {
    const events: AuditEvent[] = await store.listAuditEvents({ ...query, from, below });
    for (const event of events) yield auditLine(event);
    if (events.length < READ_AT_ONCE) return;
    below = events.at(-1)?.id ?? 0;
  }
}
