const SHORTCUTS = [
  { keys: [','], does: 'Older event', settles: false },
  { keys: ['.'], does: 'Newer event', settles: false },
  { keys: ['e'], does: 'Resolve or unresolve', settles: true },
  { keys: ['i'], does: 'Ignore or undo ignore', settles: true },
  { keys: ['u'], does: 'Back to errors', settles: false },
  { keys: ['?'], does: 'This help', settles: false },
] as const;

/** Texts of the help; the page binds the same keys. Entries with `settles` need permission to change the status. */
export function errorShortcuts(maySettle: boolean) {
  return SHORTCUTS.filter(({ settles }) => maySettle || !settles);
}
