import { AppError } from '../domain/app-error.ts';
import type { ListStore } from '../domain/ports/list-store.ts';

const NAMES = [
  ...(['countTabs', 'matchingErrors', 'setErrorStatuses', 'setAssignees', 'reviewErrors', 'deleteErrors'] as const),
  ...(['discardedGroups', 'restoreDiscarded', 'rankErrors'] as const),
] satisfies readonly (keyof ListStore)[];

/** Methods that a store does not have yet. */
export const UNFINISHED = Object.fromEntries(
  NAMES.map((name) => [name, () => Promise.reject(new AppError('bad_request', `${name} is not there yet`))]),
) as unknown as ListStore;
