/** Routes whose methods a store does not have yet, see src/storage/unfinished.ts. */
export const UNFINISHED_ROUTES: ReadonlySet<string> = new Set([
  ...['countErrors', 'changeErrors', 'reviewError', 'deleteError', 'listDiscarded', 'restoreDiscarded'],
]);
