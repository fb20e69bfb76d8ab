const SHORTCUTS = [
  { keys: ['j', 'k'], does: 'Next and previous error', settles: false },
  { keys: ['o', 'Enter'], does: 'Open the error', settles: false },
  { keys: ['e'], does: 'Resolve it, or take that back', settles: true },
  { keys: ['i'], does: 'Ignore it, or take that back', settles: true },
  { keys: ['x'], does: 'Select it; e and i are about all selected ones', settles: true },
  { keys: ['z'], does: 'Undo what was done last, while its message is there', settles: true },
  { keys: ['Esc'], does: 'Select nothing', settles: true },
  { keys: ['/'], does: 'Search', settles: false },
  { keys: ['?'], does: 'This help', settles: false },
] as const;

/** What the help says; the page binds the same keys. Those that `settles` are for whoever may settle errors. */
export function listShortcuts(maySettle: boolean) {
  return SHORTCUTS.filter(({ settles }) => maySettle || !settles);
}
