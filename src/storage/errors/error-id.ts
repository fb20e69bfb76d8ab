/**
 * Greatest number of a former tracker that is reserved; greater ones mean no issue here. The largest trackers are at some
 * 10 digits, and numbers must stay exact in JSON.
 */
export const MAX_RESERVED_NUMBER = 1e12;

/** Returns the row id in a public error id; null for an invalid one. */
export function parseErrorId(errorId: string): number | null {
  if (!/^[1-9]\d{0,15}$/.test(errorId)) {
    return null;
  }
  const id = Number(errorId);
  return Number.isSafeInteger(id) ? id : null;
}
