import PQueue from 'p-queue';

/**
 * Works on all items, `concurrency` at once. After a failure no further item begins; throws it when the running ones
 * have ended.
 */
export async function sideBySide<T>(
  items: readonly T[],
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = new PQueue({ concurrency });
  let failure: { readonly error: unknown } | null = null;
  for (const item of items) {
    void queue.add(async () => {
      try {
        await work(item);
      } catch (error) {
        failure ??= { error };
        queue.clear();
      }
    });
  }
  await queue.onIdle();
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
}
