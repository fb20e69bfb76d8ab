import { computed, shallowRef } from 'vue';
import { counted } from '../lib/numbers.ts';

interface Action {
  readonly label: string;
  readonly run: () => void;
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'neutral' | 'danger';
  /** Buttons of the toast. */
  readonly actions: readonly Action[];
}

/** Change of errors that can be undone. */
interface UndoableChange {
  /** Message while it is the only change, such as `Resolved: TypeError`. */
  readonly text: string;
  /** Verb for a sum over several changes, such as `resolved`. */
  readonly kind: string;
  /** Ids of the changed errors. In sums, an error counts once, with its last change. */
  readonly ids: readonly string[];
  readonly undo: () => unknown;
}

/** Milliseconds that a toast is shown. */
const SHOWN_MS = 8000;
/** Maximum of changes that can be undone; older ones are dropped. */
const MAX_CHANGES = 200;
/** Id of the toast of all changes; ids of messages count on from it. */
const CHANGES_ID = 0;

const changes = shallowRef<readonly UndoableChange[]>([]);
const message = shallowRef<Toast | null>(null);
/** Message of its own, which other messages do not replace. */
const notice = shallowRef<Toast | null>(null);
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = CHANGES_ID;

/** Sums up changes: `12 errors resolved, 6 ignored`. A single change, or changes of one error, use the last text. */
export function sumUp(done: readonly UndoableChange[]): string {
  const kinds = new Map(done.flatMap(({ ids, kind }) => ids.map((id) => [id, kind] as const)));
  if (done.length === 1 || kinds.size === 1) return done.at(-1)?.text ?? '';
  const counts = new Map<string, number>();
  for (const kind of kinds.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count], index) => `${index === 0 ? counted(count, 'error') : String(count)} ${kind}`)
    .join(', ');
}

/** Toasts on display: one for all undoable changes, the latest notice and the latest message. */
export const toasts = computed<readonly Toast[]>(() => [
  ...(changes.value.length === 0
    ? []
    : [{ id: CHANGES_ID, text: sumUp(changes.value), tone: 'neutral' as const, actions: undos() }]),
  ...[notice.value, message.value].filter((one) => one !== null),
]);

function undos(): readonly Action[] {
  if (changes.value.length === 1) return [{ label: 'Undo', run: undoLast }];
  return [
    { label: 'Undo last', run: undoLast },
    { label: 'Undo all', run: undoAll },
  ];
}

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (id === CHANGES_ID) changes.value = [];
  for (const one of [notice, message]) if (one.value?.id === id) one.value = null;
}

/** Starts the time limit of a toast. `holdToasts` stops all limits while it is pointed at or focused. */
function startClock(id: number): void {
  clearTimeout(timers.get(id));
  timers.set(
    id,
    setTimeout(() => dismissToast(id), SHOWN_MS),
  );
}

export function holdToasts(): void {
  for (const timer of timers.values()) clearTimeout(timer);
}

export function releaseToasts(): void {
  for (const { id } of toasts.value) startClock(id);
}

/** Action that also dismisses its toast. */
function dismissing(id: number, { label, run }: Action): Action {
  return {
    label,
    run: () => {
      dismissToast(id);
      run();
    },
  };
}

function putInto(place: typeof message, toast: Omit<Toast, 'id' | 'actions'>, action?: Action): void {
  if (place.value !== null) dismissToast(place.value.id);
  lastId += 1;
  const id = lastId;
  place.value = { ...toast, id, actions: action === undefined ? [] : [dismissing(id, action)] };
  startClock(id);
}

/** Shows a message instead of the previous one. */
export function showToast(
  text: string,
  options: { readonly tone?: Toast['tone']; readonly action?: Action } = {},
): void {
  const { tone = 'neutral', action } = options;
  putInto(message, { text, tone }, action);
}

/** Shows a message about the whole tab. Later messages do not replace it. */
export function showNotice(text: string): void {
  putInto(notice, { text, tone: 'neutral' });
}

/** Shows a change with its undo action. Earlier changes on display stay undoable. */
export function showChange(change: UndoableChange): void {
  changes.value = [...changes.value, change].slice(-MAX_CHANGES);
  startClock(CHANGES_ID);
}

/** Removes a change that failed. */
export function removeChange(change: UndoableChange): void {
  changes.value = changes.value.filter((other) => other !== change);
}

/** Undoes the last change on display; false when there is none. */
export function undoLast(): boolean {
  const last = changes.value.at(-1);
  if (last === undefined) return false;
  removeChange(last);
  startClock(CHANGES_ID);
  last.undo();
  return true;
}

function undoAll(): void {
  const done = changes.value;
  dismissToast(CHANGES_ID);
  for (const change of [...done].reverse()) change.undo();
}
