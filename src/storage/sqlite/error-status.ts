import type { ErrorStatus } from '../../domain/tracked-error.ts';

/** How statuses stand in `errors.status`. */
export const STATUS_CODES: Readonly<Record<ErrorStatus, number>> = { unresolved: 0, resolved: 1, ignored: 2 };

const NAMES: readonly ErrorStatus[] = ['unresolved', 'resolved', 'ignored'];

export function statusName(code: number): ErrorStatus {
  return NAMES[code] ?? 'unresolved';
}
