/** What the help says; the page binds the same keys. */
export const LIST_SHORTCUTS = [
  { keys: ['j', 'k'], does: 'Next and previous error' },
  { keys: ['o', 'Enter'], does: 'Open the error' },
  { keys: ['e'], does: 'Resolve it, or take that back' },
  { keys: ['i'], does: 'Ignore it, or take that back' },
  { keys: ['x'], does: 'Select it; e and i are about all selected ones' },
  { keys: ['Esc'], does: 'Select nothing' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This help' },
] as const;
