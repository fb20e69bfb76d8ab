/** Returns a cursor for a hint. One of a tracker may be any text: the structured part has such a one. */
export function shownCursor(cursor: string): string {
  return /^[\w.:=~-]{1,300}$/.test(cursor) ? cursor : 'next_cursor';
}
