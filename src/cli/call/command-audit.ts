import { userInfo } from 'node:os';
import { AuditTrail, type AuditEntry, type AuditResult } from '../../audit/audit-trail.ts';
import { systemClock } from '../../domain/ports/clock.ts';
import type { AuditStore } from '../../domain/ports/stores/audit-store.ts';
import { printWarning } from './output.ts';

/** Writer of the audit log for commands, whose author is the user of the operating system. */
export interface CommandAudit {
  /** Makes a change that the audit log has before it is made. `result`: what is known only then. */
  change<T>(
    entry: Omit<AuditEntry, 'author'>,
    change: () => Promise<T>,
    result?: (made: T) => AuditResult | Promise<AuditResult>,
  ): Promise<T>;
}

/** Returns the name of the user who runs this process; its number where the system knows no name. */
function systemUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? 'unknown');
  }
}

export function commandAudit(store: Pick<AuditStore, 'addAuditEvent' | 'endAuditEvent'>): CommandAudit {
  const logger = { warn: (_bindings: object, message: string) => printWarning(message) };
  const trail = new AuditTrail({ store, clock: systemClock, logger });
  const author = { id: null, name: `CLI (${systemUser()})`, address: null };
  return { change: (entry, change, result) => trail.around({ ...entry, author }, change, result) };
}
