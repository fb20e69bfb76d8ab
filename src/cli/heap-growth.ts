import { setFlagsFromString } from 'node:v8';

/** Per cent of what lives on the heap after a collection. */
const GROWTH_PERCENT = 25;

/**
 * Lets V8's heaps grow by a quarter of what lives there before it collects again (by 8 MB at least, which is V8's own
 * bound), in all threads. By itself V8 lets them grow up to fourfold, the more the busier the machine is: measured at
 * 2,000 events/s, 185 to 275 MB of resident memory. With half instead of a quarter it was 189 MB instead of 185 after
 * 20 minutes, for no less CPU.
 */
export function limitHeapGrowth(): void {
  setFlagsFromString(`--heap-growing-percent=${GROWTH_PERCENT}`);
}
