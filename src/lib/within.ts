/**
 * Returns the result of `work`, or that of `late` after `limitMs` milliseconds. The signal of `work` aborts then, and
 * its later result or error is ignored. No timer remains afterwards.
 */
export async function within<T, L>(
  limitMs: number,
  work: (signal: AbortSignal) => Promise<T>,
  late: () => L,
): Promise<T | L> {
  const end = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<'late'>((resolve) => (timer = setTimeout(() => resolve('late'), limitMs)));
  try {
    const first = await Promise.race([work(end.signal).then((value) => ({ value })), limit]);
    if (first !== 'late') return first.value;
    end.abort();
    return late();
  } finally {
    clearTimeout(timer);
  }
}
