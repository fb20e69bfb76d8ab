import { auditTime, type AuditEvent } from '../../../domain/audit/audit-event.ts';
import { presenter } from '../../http/presenter.ts';
import { auditEventSchema } from './audit-schema.ts';

const present = presenter(auditEventSchema);

/** Id of the author in the host's answers where no user has acted. */
const NO_USER = -1;

export function presentAuditEvent(event: AuditEvent) {
  const { changes, ...more } = event.details;
  const [first, ...others] = changes;
  const details = {
    ...more,
    ...{ authorName: event.authorName, ipAddress: event.address, entityPath: event.entityPath },
    ...{ targetType: event.targetType, targetId: event.targetId, targetDetails: event.targetName },
    ...{ outcome: event.outcome, changes },
    ...(first !== undefined && others.length === 0 && { change: first.name, from: first.from, to: first.to }),
  };
  const createdAt = auditTime(event);
  return present({ ...event, authorId: event.authorId ?? NO_USER, eventName: event.event, details, createdAt });
}
