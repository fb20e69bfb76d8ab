import { ref, type Ref } from 'vue';
import { basePath } from '../lib/base-path.ts';

/** Milliseconds between two checks whether the service is back. */
const LOOK_MS = 2000;

const away = ref(false);
/** Number of reconnections. Watch it to load data again. */
const returns = ref(0);
let timer: ReturnType<typeof setTimeout> | undefined;

async function answers(): Promise<boolean> {
  try {
    return (await fetch(`${basePath}/-/liveness`, { cache: 'no-store' })).ok;
  } catch {
    return false;
  }
}

async function look(): Promise<void> {
  if (await answers()) reportAnswer(true);
  // Still unavailable: schedules the next check.
  if (away.value) timer = setTimeout(() => void look(), LOOK_MS);
}

/** Checks whether the service answers, and updates the connection state. */
export async function isThere(): Promise<boolean> {
  const there = await answers();
  reportAnswer(there);
  return there;
}

/** Updates the connection state. The API client calls it; `reached` is true when the service itself answered. */
export function reportAnswer(reached: boolean): void {
  if (reached === !away.value) return;
  away.value = !reached;
  clearTimeout(timer);
  if (reached) returns.value += 1;
  else timer = setTimeout(() => void look(), LOOK_MS);
}

/** Whether the service is unavailable now, and the number of reconnections. */
export function useConnection(): { away: Readonly<Ref<boolean>>; returns: Readonly<Ref<number>> } {
  return { away, returns };
}
