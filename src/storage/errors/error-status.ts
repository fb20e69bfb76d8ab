import type { ErrorStatus } from '../../domain/errors/error-status.ts';

export type StatusCode = 0 | 1 | 2;

/** Codes of the statuses in both stores. */
export const STATUS_CODES: Readonly<Record<ErrorStatus, StatusCode>> = { unresolved: 0, resolved: 1, ignored: 2 };

const NAMES: readonly ErrorStatus[] = ['unresolved', 'resolved', 'ignored'];

export function statusName(code: number): ErrorStatus {
  return NAMES[code] ?? 'unresolved';
}
