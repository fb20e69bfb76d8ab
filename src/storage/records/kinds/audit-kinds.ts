import type { AuditEvent } from '../../../domain/audit/audit-event.ts';
import { integer, json, kind, nullable, text, type Kind } from '../kind.ts';

/** Events stay when what they are about is deleted: they say who deleted it. Retention removes them by age. */
export const auditEvents: Kind<AuditEvent, 'id'> = kind({
  name: 'auditEvents',
  key: ['id'],
  of: 'instance',
  members: {
    id: integer,
    event: text(),
    outcome: text(),
    authorId: nullable(integer),
    authorName: text(),
    address: nullable(text()),
    entityType: text(),
    entityId: nullable(integer),
    entityPath: text(),
    targetType: text(),
    targetId: nullable(text()),
    targetName: text(),
    details: json(),
  },
  indexes: {
    of_entity: ['entityType', 'entityId', '-id'],
    of_author: ['authorId', '-id'],
    of_event: ['event', '-id'],
    of_outcome: ['outcome', '-id'],
  },
});
