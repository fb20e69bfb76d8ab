const LINE_BREAK = 0x0a;

/** Returns the lines of UTF-8 chunks without their ends. Null, and then no more: a line has more than `maxBytes`. */
export async function* linesOf(chunks: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator<string | null> {
  let parts: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(LINE_BREAK); at !== -1; at = chunk.indexOf(LINE_BREAK, from)) {
      parts.push(chunk.subarray(from, at));
      yield Buffer.concat(parts).toString('utf8');
      [parts, bytes, from] = [[], 0, at + 1];
    }
    parts.push(chunk.subarray(from));
    bytes += chunk.length - from;
    if (bytes > maxBytes) {
      yield null;
      return;
    }
  }
  if (bytes > 0) yield Buffer.concat(parts).toString('utf8');
}
