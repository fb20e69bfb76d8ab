/** Returns the id in a path; null for text that cannot be one. */
export function idOf(text: string | undefined): number | null {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return id > 0 ? id : null;
}

/** Returns true for a number or 32 hex digits. Neither is a fixed segment of another route. */
export function isPlainErrorId(text: string): boolean {
  return /^([1-9]\d{0,39}|[0-9a-f]{32})$/.test(text);
}
