/** Returns the row id in a public error id; null for an invalid one. */
export function parseErrorId(errorId: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(errorId)) {
    return null;
  }
  const id = Number(errorId);
  return Number.isSafeInteger(id) ? id : null;
}
