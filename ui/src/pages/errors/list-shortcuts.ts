const SHORTCUTS = [
  { keys: ['j', 'k'], does: 'Next and previous error', settles: false },
  { keys: ['o', 'Enter'], does: 'Open the error', settles: false },
  { keys: ['e'], does: 'Resolve or unresolve', settles: true },
  { keys: ['i'], does: 'Ignore or undo ignore', settles: true },
  { keys: ['x'], does: 'Select; e and i apply to all selected errors', settles: true },
  { keys: ['z'], does: 'Undo last action', settles: true },
  { keys: ['Esc'], does: 'Clear selection', settles: true },
  { keys: ['/'], does: 'Search', settles: false },
  { keys: ['?'], does: 'This help', settles: false },
] as const;

/** Texts of the help; the page binds the same keys. Entries with `settles` need permission to change the status. */
export function listShortcuts(maySettle: boolean) {
  return SHORTCUTS.filter(({ settles }) => maySettle || !settles);
}
