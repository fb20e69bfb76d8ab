import assert from 'node:assert/strict';

/** Milliseconds of processor time that synchronous work takes. Other load on the machine does not lengthen them. */
export function processorMs(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

/** The second time counts no compilation; what is slow is slow each time. */
const leastMs = (work: () => unknown): number => Math.min(processorMs(work), processorMs(work));

/**
 * Fails unless work takes time in proportion to its size. On most machines it takes less than `boundMs`. On a slower one
 * it may take longer, as long as a quarter of the size takes more than an eighth of it: with its square, it would take a
 * sixteenth.
 */
export function assertProportional(work: (size: number) => unknown, size: number, boundMs: number): void {
  const took = leastMs(() => work(size));
  if (took < boundMs) return;
  const quarter = leastMs(() => work(size / 4));
  assert.ok(took < quarter * 8, `${took} ms, and ${quarter} ms for a quarter`);
}
