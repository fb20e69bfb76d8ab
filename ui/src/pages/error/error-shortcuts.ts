const SHORTCUTS = [
  { keys: [','], does: 'Older event', settles: false },
  { keys: ['.'], does: 'Newer event', settles: false },
  { keys: ['e'], does: 'Resolve the error, or take that back', settles: true },
  { keys: ['i'], does: 'Ignore it, or take that back', settles: true },
  { keys: ['u'], does: 'Back to the list', settles: false },
  { keys: ['?'], does: 'This help', settles: false },
] as const;

/** What the help says; the page binds the same keys. Those that `settles` are for whoever may settle errors. */
export function errorShortcuts(maySettle: boolean) {
  return SHORTCUTS.filter(({ settles }) => maySettle || !settles);
}
