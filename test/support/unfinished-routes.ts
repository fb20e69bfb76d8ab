import type { StoreKind } from './test-stores.ts';

/** Returns the routes whose methods a store does not have yet, see src/storage/unfinished.ts. */
export function unfinishedRoutes({ shared }: StoreKind): ReadonlySet<string> {
  return new Set([
    ...['deleteError', 'listDiscarded', 'restoreDiscarded'],
    ...(shared ? ['countErrors', 'changeErrors', 'reviewError'] : []),
  ]);
}
