interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
  /** Permission or backend that its action needs; absent: none. */
  readonly needs?: 'develops' | 'waits' | 'triages' | 'deletes';
  /** What it does without `triages`; absent: the same. */
  readonly otherwise?: string;
}

const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['j', 'k'], does: 'Next and previous error' },
  { keys: ['o', 'Enter'], does: 'Open the error' },
  { keys: ['e'], does: 'Resolve or unresolve', needs: 'develops' },
  { keys: ['n'], does: 'Resolve in the next release', needs: 'waits' },
  { keys: ['i'], does: 'Ignore or undo ignore', needs: 'develops' },
  { keys: ['m'], does: 'Ignore until…', needs: 'waits' },
  { keys: ['a'], does: 'Assign…', needs: 'triages' },
  { keys: ['r'], does: 'Mark as reviewed', needs: 'triages' },
  { keys: ['d'], does: 'Delete…', needs: 'deletes' },
  { keys: ['x'], does: 'Select; the keys above apply to all selected errors', needs: 'develops' },
  {
    keys: ['A'],
    does: 'Select the page, then all that match on other pages, then nothing',
    needs: 'develops',
    otherwise: 'Select the page, then nothing',
  },
  { keys: ['z'], does: 'Undo last action', needs: 'develops' },
  { keys: ['Esc'], does: 'Clear selection', needs: 'develops' },
  { keys: ['/'], does: 'Search' },
  { keys: ['?'], does: 'This help' },
];

/** Texts of the help; the page binds the same keys. */
export function listShortcuts(has: Readonly<Record<NonNullable<Shortcut['needs']>, boolean>>): readonly Shortcut[] {
  return SHORTCUTS.filter(({ needs }) => needs === undefined || has[needs]).map((shortcut) =>
    shortcut.otherwise !== undefined && !has.triages ? { ...shortcut, does: shortcut.otherwise } : shortcut,
  );
}
