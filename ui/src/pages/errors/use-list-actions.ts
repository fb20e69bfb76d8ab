import { nextTick, reactive, type Ref } from 'vue';
import { filtersOf } from '../../api/error-list-api.ts';
import type { ErrorStatus, NewStatusDetails, TrackedError } from '../../api/errors-api.ts';
import { MAX_MERGED } from '../../api/merge-api.ts';
import { filled } from '../../app/filling.ts';
import { showToast } from '../../app/toasts.ts';
import { cappedCount, MAX_COUNTED, wholeNumber } from '../../lib/numbers.ts';
import { allRows } from './all-rows.ts';
import { MAX_BULK, type BulkAction } from './bulk-actions.ts';
import { DEEDS } from './bulk-words.ts';
import { toParameters, type ListQuery } from './list-query.ts';
import { changedText } from './status-change.ts';
import { useBulk, type BulkScope } from './use-bulk.ts';
import type { ErrorList } from './use-error-list.ts';
import { useIgnoreDialog } from './use-ignore-dialog.ts';
import { useMergeDialog } from './use-merge-dialog.ts';
import { reportingFailure } from './use-merging.ts';
import type { useRowFocus } from './use-row-focus.ts';
import type { Selection } from './use-selection.ts';
import { useStatusChanges } from './use-status-changes.ts';
import type { TabCounting } from './use-tab-counts.ts';

interface Parts {
  readonly project: Ref<string>;
  readonly query: Ref<ListQuery>;
  readonly list: ErrorList;
  readonly focus: ReturnType<typeof useRowFocus>;
  readonly selection: Selection;
  readonly counting: TabCounting;
  /** Whether the user may change errors. */
  readonly develops: Ref<boolean>;
  /** Whether errors are stored here; external trackers have no bulk actions. */
  readonly integrated: Ref<boolean>;
  /** Whether a status can wait for something; most external trackers have no such conditions. */
  readonly waits: Ref<boolean>;
  /** Opens the page after this one, when all of its errors have left; false when there is none to open. */
  readonly turnOn: (following: string | null) => Promise<boolean>;
}

/** Actions on the errors of the list, for rows, for the selection, and by keys. */
export function useListActions(parts: Parts) {
  const { project, query, list, focus, selection, counting, develops, integrated, waits } = parts;
  const { changeStatus, announcement } = useStatusChanges(project, query, list, counting, focus.focusId);
  const merging = reactive(useMergeDialog(project, query, list.load));
  const bulk = reactive(
    useBulk({
      ...{ project, key: () => query.value, during: counting.during, refresh: list.refresh },
      changed: holdOf,
    }),
  );
  const ignoring = reactive(useIgnoreDialog(() => [project.value, query.value]));

  /** Clears the selection. Its result gives the focus to the row after those that a bulk action took away. */
  function holdOf(scope: BulkScope): () => boolean {
    const { value: rows } = list.rows;
    const keep = focus.hold('ids' in scope ? rows.filter(({ id }) => scope.ids.includes(id)) : rows);
    selection.clear();
    return keep;
  }

  async function apply(rows: readonly TrackedError[], status: ErrorStatus, details?: NewStatusDetails): Promise<void> {
    const keep = focus.hold(rows);
    selection.select(
      rows.map(({ id }) => id),
      false,
    );
    const following = list.next.value;
    const done = changeStatus(rows, status, details);
    await nextTick();
    const placed = keep();
    const emptied = list.rows.value.length === 0;
    await done;
    if (placed || document.activeElement !== document.body) return;
    if (emptied && (await parts.turnOn(following))) {
      await filled();
      focus.move(1);
    } else if (!keep()) announcement.value += '. End of the list';
  }

  /** Merges errors and focuses the row of the result. Throws an `ApiFailure`. */
  async function merge(ids: readonly string[]): Promise<void> {
    const root = await merging.merge(ids);
    void counting.load();
    selection.clear();
    await nextTick();
    focus.focusId(root);
  }

  /** Rows that an action is about: the selected ones, otherwise the focused one. */
  function meant(): readonly TrackedError[] {
    if (selection.picked.value.length > 0) return selection.picked.value;
    const current = focus.current();
    return current === null ? [] : [current];
  }

  /** Counts everything that matches; null where that fails or is more than `most`, which a message says. */
  async function matchingScope(most: number, deed: string): Promise<Extract<BulkScope, { matching: true }> | null> {
    const asked = query.value;
    const count = await reportingFailure(counting.count());
    if (count === null || query.value !== asked) return null;
    // The count of a list that is longer than the maximum is the maximum.
    if (count <= most && count < MAX_COUNTED) return { matching: true, filters: filtersOf(toParameters(asked)), count };
    const found = `${cappedCount(count)} match. Narrow the list down first.`;
    showToast(`At most ${wholeNumber(most)} errors can be ${deed} at once, and ${found}`);
    return null;
  }

  /** Errors that an action is about, those that match counted just now; null without any. */
  async function meantScope(): Promise<BulkScope | null> {
    if (selection.everything.value) return matchingScope(MAX_BULK, 'changed');
    const rows = meant();
    return rows.length === 0 ? null : { ids: rows.map(({ id }) => id) };
  }

  /** Asks about a bulk action, or runs it at once where it is about rows of the page and can be undone. */
  async function actOn(kind: 'assign' | 'delete' | keyof typeof DEEDS): Promise<void> {
    if (!integrated.value || !develops.value) return;
    const scope = await meantScope();
    if (scope === null) return;
    if (kind === 'assign' || kind === 'delete') return bulk.ask({ kind, scope });
    if ('matching' in scope) return bulk.ask({ kind: 'confirm', scope, ...DEEDS[kind] });
    if (kind === 'reviewed' && !meant().some(({ marks }) => marks?.for_review === true)) {
      showToast(scope.ids.length === 1 ? 'The error needs no review.' : 'None of the errors needs a review.');
      return;
    }
    await bulk.runNow(scope, DEEDS[kind].change, DEEDS[kind].words);
  }

  /** Asks until when errors are ignored. */
  async function askIgnore(rows: readonly TrackedError[]): Promise<void> {
    if (!develops.value || rows.length === 0 || !waits.value) return;
    if (selection.everything.value && (await meantScope()) === null) return;
    await ignoring.open(rows);
  }

  async function ignoreUntil(details: NewStatusDetails): Promise<void> {
    const rows = ignoring.errors;
    const { value: everything } = selection.everything;
    ignoring.close();
    // The closed dialog gives the focus back to the row first.
    await nextTick();
    if (!everything) return apply(rows, 'ignored', details);
    const scope = await meantScope();
    if (scope === null) return;
    const change = { action: 'status', status: 'ignored', status_details: details } as const;
    const until = changedText({ status: 'ignored', details }).toLowerCase();
    const words = { verb: 'Ignore', done: 'ignored', effect: `They send no alerts, and are ${until}.` };
    return bulk.ask({ kind: 'confirm', scope, change, words });
  }

  /** Merges everything that matches, if one request can. */
  async function mergeAll(): Promise<void> {
    const asked = query.value;
    if ((await matchingScope(MAX_MERGED, 'merged')) === null) return;
    const rows = await reportingFailure(allRows(project.value, asked, MAX_MERGED));
    if (rows === null || query.value !== asked) return;
    await merging.open(rows.slice(0, MAX_MERGED));
  }

  /** Does what was chosen for the selected rows, or by a key. */
  function act(action: BulkAction): void {
    const rows = meant();
    if (!develops.value || rows.length === 0) return;
    if (action === 'merge') void (selection.everything.value ? mergeAll() : merging.open(rows));
    else if (action === 'ignore-until') void askIgnore(rows);
    else if (selection.everything.value || action === 'assign' || action === 'delete' || action === 'reviewed') {
      void actOn(action);
    } else {
      const { status, details } = DEEDS[action];
      if (details === undefined || waits.value) void apply(rows, status, details);
    }
  }

  /** Sets a status; when all rows have it already, reopens them. */
  function toggle(status: 'resolved' | 'ignored'): void {
    const reopens = !selection.everything.value && meant().every((row) => row.status === status);
    act(reopens ? 'reopen' : status === 'resolved' ? 'resolve' : 'ignore');
  }

  return { apply, act, toggle, askIgnore, ignoreUntil, merge, announcement, merging, bulk, ignoring };
}

export type ListActions = ReturnType<typeof useListActions>;
