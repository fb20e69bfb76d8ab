import { AppError } from '../../domain/app-error.ts';
import { MAX_BULK_STEP } from '../../domain/ports/stores/list-store.ts';

/** Throws `bad_request` for more errors than one call of a bulk command takes. */
export function requireBulkStep(errors: readonly unknown[]): void {
  if (errors.length > MAX_BULK_STEP) {
    throw new AppError('bad_request', `at most ${MAX_BULK_STEP} errors can be changed at once`);
  }
}
