import { targetOf } from '../../audit/shown-values.ts';
import { INSTANCE } from '../../domain/audit/audit-event.ts';
import type { Session } from '../people/session.ts';

/** Runs an import that the audit log has. `from`: address without secrets, or name of the file. */
export function auditedImport<T>({ audit }: Pick<Session, 'audit'>, from: string, run: () => Promise<T>): Promise<T> {
  return audit.change({ event: 'import_started', entity: INSTANCE, target: targetOf('Import', null, from) }, run);
}
