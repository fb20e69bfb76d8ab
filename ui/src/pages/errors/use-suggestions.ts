import { onScopeDispose, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { getError, type Capabilities, type TrackedError } from '../../api/errors-api.ts';
import { listFilterValues, type FilterValues } from '../../api/releases-api.ts';

/** Errors of an external tracker whose details are asked for what could be filtered by. */
const ASKED_ROWS = 4;

const NONE: FilterValues = { environments: [], releases: [] };

interface Source {
  readonly project: string;
  /** Null until they are known. */
  readonly capabilities: Capabilities | null;
  /** What is shown. */
  readonly rows: readonly TrackedError[];
}

function distinct(values: readonly (string | null)[]): string[] {
  const named = values.filter((value) => value !== null).filter((value) => value !== '');
  return [...new Set(named)].sort();
}

/** A tracker is not asked for all of the project: what is known comes from the errors on the page. */
async function fromRows({ project, rows }: Source, signal: AbortSignal): Promise<FilterValues> {
  const details = await Promise.all(rows.slice(0, ASKED_ROWS).map(({ id }) => getError(project, id, signal)));
  return {
    environments: distinct(details.flatMap((detail) => detail.environments ?? [])),
    releases: distinct([
      ...rows.flatMap((row) => [row.first_release, row.last_release]),
      ...details.flatMap((detail) => detail.releases ?? []),
    ]),
  };
}

/** Names that can be filtered by: those of the whole project where they are stored here, else those of what is shown. */
export function useSuggestions(source: () => Source) {
  const suggestions = shallowRef(NONE);
  /** Whether they are all there are: a name that is none of them matches nothing. */
  const complete = shallowRef(false);
  let wanted = false;
  let askedRows: string | null = null;
  let running = new AbortController();

  async function ask(now: Source, stored: boolean): Promise<void> {
    running.abort();
    const mine = new AbortController();
    running = mine;
    try {
      const told = stored ? await listFilterValues(now.project, mine.signal) : await fromRows(now, mine.signal);
      if (mine.signal.aborted) return;
      suggestions.value = told;
      complete.value = stored;
    } catch (error) {
      // Without suggestions one can still type.
      if (!mine.signal.aborted && !(error instanceof ApiFailure)) throw error;
    }
  }

  /** To be called once one of the fields is about to be used. */
  async function suggest(): Promise<void> {
    const now = source();
    wanted = now.capabilities === null;
    if (now.capabilities === null) return;
    if (now.capabilities.releases) return ask(now, true);
    const rows = now.rows.slice(0, ASKED_ROWS).map(({ id }) => id);
    const mark = rows.join(' ');
    if (mark === askedRows) return;
    askedRows = mark;
    await ask(now, false);
  }

  watch(
    () => source().project,
    () => {
      running.abort();
      askedRows = null;
      suggestions.value = NONE;
      complete.value = false;
    },
  );
  watch(
    () => source().capabilities,
    () => {
      if (wanted) void suggest();
    },
  );
  onScopeDispose(() => running.abort());
  return { suggestions, complete, suggest };
}
