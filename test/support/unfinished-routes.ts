import type { StoreKind } from './test-stores.ts';

const NOT_SHARED = [
  ...['countErrors', 'changeErrors', 'reviewError'],
  ...['deleteError', 'listDiscarded', 'restoreDiscarded'],
];

/** Returns the routes whose methods a store does not have yet, see src/storage/unfinished.ts. */
export function unfinishedRoutes({ shared }: StoreKind): ReadonlySet<string> {
  return new Set(shared ? NOT_SHARED : []);
}
