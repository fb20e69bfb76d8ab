import { setFlagsFromString } from 'node:v8';

/** Per cent of what lives on the heap after a collection. */
const GROWTH_PERCENT = 50;

/**
 * Lets V8's heaps grow by half of what lives there before it collects again, in all threads. By itself V8 lets them
 * grow up to fourfold, the more the busier the machine is: measured at 2,000 events/s, 185 to 275 MB of resident
 * memory, against 170 to 180 MB, for the same CPU.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
