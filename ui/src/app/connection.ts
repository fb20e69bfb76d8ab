import { ref, type Ref } from 'vue';
import { basePath } from '../lib/base-path.ts';

/** Milliseconds between two looks whether the service is back. */
const LOOK_MS = 2000;

const away = ref(false);
/** Grows whenever the service is back after it was away: watch it to load again. */
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
  // Still away: the next look comes.
  if (away.value) timer = setTimeout(() => void look(), LOOK_MS);
}

/** Asks whether the service is there, and takes note of it as the banner does. */
export async function isThere(): Promise<boolean> {
  const there = await answers();
  reportAnswer(there);
  return there;
}

/** Called by the API client; `reached` is true when the service itself answered. */
export function reportAnswer(reached: boolean): void {
  if (reached === !away.value) return;
  away.value = !reached;
  clearTimeout(timer);
  if (reached) returns.value += 1;
  else timer = setTimeout(() => void look(), LOOK_MS);
}

/** Whether the service is away now, and how often it came back. */
export function useConnection(): { away: Readonly<Ref<boolean>>; returns: Readonly<Ref<number>> } {
  return { away, returns };
}
