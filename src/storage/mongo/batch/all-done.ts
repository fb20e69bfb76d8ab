/** Waits as `Promise.all`, but after a failure until all steps have ended, so that none continues unnoticed. */
export async function allDone<T extends readonly unknown[]>(steps: {
  readonly [K in keyof T]: Promise<T[K]>;
}): Promise<T> {
  await Promise.allSettled(steps);
  return Promise.all(steps);
}
