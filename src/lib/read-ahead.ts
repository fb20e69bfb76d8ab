/** Yields the values of a source and asks for the next one while the caller works on the current one. */
export async function* readAhead<T>(source: AsyncIterable<T>): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]();
  let next = iterator.next();
  // A failure is thrown where the value is used; without a handler it would end the process before.
  next.catch(() => undefined);
  try {
    for (;;) {
      const result = await next;
      if (result.done === true) return;
      next = iterator.next();
      next.catch(() => undefined);
      yield result.value;
    }
  } finally {
    await iterator.return?.().catch(() => undefined);
  }
}
