/** Decodes UTF-8. A byte order mark is left out: it is neither JSON nor a column of the first line. */
export function textOf(bytes: Uint8Array): string {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8');
  return text.startsWith('\ufeff') ? text.slice(1) : text;
}
