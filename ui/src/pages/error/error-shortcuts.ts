const SHORTCUTS = [
  { keys: [','], does: 'Older event', settles: false },
  { keys: ['.'], does: 'Newer event', settles: false },
  { keys: ['e'], does: 'Resolve or unresolve', settles: true },
  { keys: ['i'], does: 'Ignore or undo ignore', settles: true },
  { keys: ['u'], does: 'Back to errors', settles: false },
  { keys: ['?'], does: 'This help', settles: false },
] as const;

/** What the help says; the page binds the same keys. Those that `settles` are for whoever may settle errors. */
export function errorShortcuts(maySettle: boolean) {
  return SHORTCUTS.filter(({ settles }) => maySettle || !settles);
}
