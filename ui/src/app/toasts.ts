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
  /** Buttons in it. */
  readonly actions: readonly Action[];
}

/** Something that was done to errors and can be undone. */
interface Deed {
  /** What it is called while nothing else was done: `Resolved: TypeError`. */
  readonly text: string;
  /** What became of the errors, in a sum over several deeds: `resolved`. */
  readonly kind: string;
  /** Ids of the errors: one that was resolved and reopened counts once, as it is now. */
  readonly ids: readonly string[];
  readonly undo: () => unknown;
}

/** Milliseconds: long enough to read and reach the button. */
const SHOWN_MS = 8000;
/** Deeds that can be undone; beyond, the oldest can no longer. */
const MAX_DEEDS = 200;
/** Id of the toast of all deeds; messages count on from it. */
const DEEDS = 0;

const deeds = shallowRef<readonly Deed[]>([]);
const message = shallowRef<Toast | null>(null);
/** A message beside the latest one, so that no other message takes its place. */
const notice = shallowRef<Toast | null>(null);
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = DEEDS;

/** `12 errors resolved, 6 ignored`; a single deed, and what was done to one error alone, by the name of the last. */
export function sumUp(done: readonly Deed[]): string {
  const kinds = new Map(done.flatMap(({ ids, kind }) => ids.map((id) => [id, kind] as const)));
  if (done.length === 1 || kinds.size === 1) return done.at(-1)?.text ?? '';
  const counts = new Map<string, number>();
  for (const kind of kinds.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return [...counts]
    .map(([kind, count], index) => `${index === 0 ? counted(count, 'error') : String(count)} ${kind}`)
    .join(', ');
}

/** One for all that can be undone, the latest notice and the latest message. */
export const toasts = computed<readonly Toast[]>(() => [
  ...(deeds.value.length === 0
    ? []
    : [{ id: DEEDS, text: sumUp(deeds.value), tone: 'neutral' as const, actions: undos() }]),
  ...[notice.value, message.value].filter((one) => one !== null),
]);

function undos(): readonly Action[] {
  if (deeds.value.length === 1) return [{ label: 'Undo', run: undoLast }];
  return [
    { label: 'Undo last', run: undoLast },
    { label: 'Undo all', run: undoAll },
  ];
}

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  if (id === DEEDS) deeds.value = [];
  for (const one of [notice, message]) if (one.value?.id === id) one.value = null;
}

/** Stays while the pointer or the focus is on it: `holdToasts` stops the clocks, `releaseToasts` restarts them. */
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

/** The toast of an action goes away with it. */
function leavingWith(id: number, { label, run }: Action): Action {
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
  place.value = { ...toast, id, actions: action === undefined ? [] : [leavingWith(id, action)] };
  startClock(id);
}

/** A message takes the place of the one before. */
export function showToast(
  text: string,
  options: { readonly tone?: Toast['tone']; readonly action?: Action } = {},
): void {
  const { tone = 'neutral', action } = options;
  putInto(message, { text, tone }, action);
}

/** Shows what happened to the whole tab. It stays beside messages that follow at once. */
export function showNotice(text: string): void {
  putInto(notice, { text, tone: 'neutral' });
}

/** Tells what was done, with the way back; what was done a moment before can still be undone too. */
export function tellDeed(deed: Deed): void {
  deeds.value = [...deeds.value, deed].slice(-MAX_DEEDS);
  startClock(DEEDS);
}

/** It was not done after all. */
export function forgetDeed(deed: Deed): void {
  deeds.value = deeds.value.filter((other) => other !== deed);
}

/** Undoes what was done last, while its toast is there; false when there is nothing. */
export function undoLast(): boolean {
  const last = deeds.value.at(-1);
  if (last === undefined) return false;
  forgetDeed(last);
  startClock(DEEDS);
  last.undo();
  return true;
}

function undoAll(): void {
  const done = deeds.value;
  dismissToast(DEEDS);
  for (const deed of [...done].reverse()) deed.undo();
}
