import { onScopeDispose, shallowRef, watch } from 'vue';
import { ApiFailure } from '../../api/api-failure.ts';
import { getError, type Capabilities, type TrackedError } from '../../api/errors-api.ts';
import { listFilterValues, type FilterValues } from '../../api/releases-api.ts';

/** Maximum of errors whose details are requested from an external tracker for suggestions. */
const ASKED_ROWS = 4;

const NONE: FilterValues = { environments: [], releases: [] };

interface Source {
  readonly project: string;
  /** Chosen environment, to which the releases belong; blank: all. */
  readonly environment: string;
  /** Null while unknown. */
  readonly capabilities: Capabilities | null;
  /** Rows of the list. */
  readonly rows: readonly TrackedError[];
}

function distinct(values: readonly (string | null)[]): string[] {
  const named = values.filter((value) => value !== null).filter((value) => value !== '');
  return [...new Set(named)].sort();
}

/**
 * Collects names from the errors on the page. Reading a whole project from a tracker would take too many requests.
 */
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

/** Suggestions for filters: names of the whole project, or of the shown rows with an external tracker. */
export function useSuggestions(source: () => Source) {
  const suggestions = shallowRef(NONE);
  /** Whether the names are complete: any other name matches no error. */
  const complete = shallowRef(false);
  let wanted = false;
  let askedRows: string | null = null;
  let running = new AbortController();

  async function ask(now: Source, stored: boolean): Promise<void> {
    running.abort();
    const mine = new AbortController();
    running = mine;
    try {
      const values = stored
        ? await listFilterValues(now.project, now.environment, mine.signal)
        : await fromRows(now, mine.signal);
      if (mine.signal.aborted) return;
      suggestions.value = values;
      complete.value = stored;
    } catch (error) {
      // Filters work without suggestions.
      if (!mine.signal.aborted && !(error instanceof ApiFailure)) throw error;
    }
  }

  /** Loads suggestions; call it before a filter is used. */
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
