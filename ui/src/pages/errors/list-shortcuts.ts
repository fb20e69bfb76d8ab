interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
  /** Role that its action needs; absent: none. */
  readonly needs?: 'develops' | 'maintains';
}

const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['j', 'k'], does: 'Next and previous error' },
  { keys: ['o', 'Enter'], does: 'Open the error' },
  { keys: ['e'], does: 'Resolve or unresolve', needs: 'develops' },
  { keys: ['n'], does: 'Resolve in the next release', needs: 'develops' },
  { keys: ['i'], does: 'Ignore or undo ignore', needs: 'develops' },
  { keys: ['m'], does: 'Ignore until…', needs: 'develops' },
  { keys: ['a'], does: 'Assign…', needs: 'develops' },
  { keys: ['r'], does: 'Mark as reviewed', needs: 'develops' },
  { keys: ['d'], does: 'Delete…', needs: 'maintains' },
  { keys: ['x'], does: 'Select; the keys above apply to all selected errors', needs: 'develops' },
  { keys: ['A'], does: 'Select the page; again: everything that matches', needs: 'develops' },
  { keys: ['z'], does: 'Undo last action', needs: 'develops' },
  { keys: ['Esc'], does: 'Clear selection', needs: 'develops' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This help' },
];

/** Texts of the help; the page binds the same keys. */
export function listShortcuts(has: { readonly develops: boolean; readonly maintains: boolean }): readonly Shortcut[] {
  return SHORTCUTS.filter(({ needs }) => needs === undefined || has[needs]);
}
