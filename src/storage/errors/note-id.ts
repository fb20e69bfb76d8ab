/** Greatest number of a note: MongoDB keeps it in four bytes of a key. */
const MAX_NOTE_NUMBER = 0xffff_ffff;

/** Returns the number of a note from its public id; null for one that no note can have. */
export function parseNoteId(noteId: string): number | null {
  const number = /^[1-9]\d{0,9}$/.test(noteId) ? Number(noteId) : Infinity;
  return number <= MAX_NOTE_NUMBER ? number : null;
}
