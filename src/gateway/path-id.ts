/** Returns the id in a path; null for text that cannot be one. */
export function idOf(text: string | undefined): number | null {
  const id = /^\d{1,15}$/.test(text ?? '') ? Number(text) : 0;
  return id > 0 ? id : null;
}
