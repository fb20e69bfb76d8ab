/** Encodes the parts of a cursor as text for a URL. */
export function encodeCursorText(parts: readonly unknown[]): string {
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Decodes the parts of a cursor; returns none for text that is not from `encodeCursorText`. */
export function decodeCursorText(text: string): unknown[] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(text, 'base64url').toString('utf8'));
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}
