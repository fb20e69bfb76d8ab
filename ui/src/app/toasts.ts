import { readonly, ref } from 'vue';

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'neutral' | 'danger';
  /** A button in it, most often Undo; it goes away once used. */
  readonly action: { readonly label: string; readonly run: () => void } | null;
}

/** Long enough to read and reach the button. */
const SHOWN_MS = 8000;
/** Older ones give way. */
const MAX_SHOWN = 5;

const shown = ref<Toast[]>([]);
const timers = new Map<number, ReturnType<typeof setTimeout>>();
let lastId = 0;

export const toasts = readonly(shown);

export function dismissToast(id: number): void {
  clearTimeout(timers.get(id));
  timers.delete(id);
  shown.value = shown.value.filter((toast) => toast.id !== id);
}

/** Takes the action of a toast, which goes away with it. */
export function actOnToast({ id, action }: Toast): void {
  dismissToast(id);
  action?.run();
}

/** Takes back what was done last, as long as its toast is there; false when there is nothing. */
export function undoLast(): boolean {
  const last = shown.value.findLast(({ action }) => action?.label === 'Undo');
  if (last !== undefined) actOnToast(last);
  return last !== undefined;
}

/** Stays while the pointer or the focus is on it: `holdToasts` stops the clocks, `releaseToasts` starts them anew. */
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
  for (const { id } of shown.value) startClock(id);
}

export function showToast(text: string, options: Partial<Pick<Toast, 'tone' | 'action'>> = {}): number {
  lastId += 1;
  const toast: Toast = { id: lastId, text, tone: options.tone ?? 'neutral', action: options.action ?? null };
  shown.value = [...shown.value, toast].slice(-MAX_SHOWN);
  startClock(toast.id);
  return toast.id;
}
