import { type Ref } from 'vue';
import type { ErrorDetail } from '../../api/errors-api.ts';
import { assignment } from '../errors/bulk-words.ts';
import { useBulk } from '../errors/use-bulk.ts';
import type { useError } from './use-error.ts';

/** Assigns the error of a page, at once or by the dialog of the list, and offers an undo. */
export function useAssignee(
  project: Ref<string>,
  error: Ref<ErrorDetail | null>,
  may: Readonly<Ref<boolean>>,
  { loadError, whileChanging }: Pick<ReturnType<typeof useError>, 'loadError' | 'whileChanging'>,
) {
  const id = () => error.value?.id ?? null;
  let asked: string | null = null;
  const { dialog, question, close, run, runNow, ...bulk } = useBulk({
    ...{ project, key: id, during: whileChanging },
    changed: () => () => undefined,
    // An undo may come after navigation.
    refresh: async () => (id() === asked ? loadError() : false),
  });

  function ask(): void {
    asked = id();
    if (may.value && asked !== null) void bulk.ask({ kind: 'assign', scope: { ids: [asked] } });
  }

  /** Null: to nobody. */
  async function assign(userId: number | null, name: string | null): Promise<void> {
    asked = id();
    if (asked !== null) await runNow({ ids: [asked] }, ...assignment(userId, name));
  }

  return { dialog, question, ask, close, run, assign };
}
