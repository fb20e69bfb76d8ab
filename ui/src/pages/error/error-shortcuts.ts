interface Shortcut {
  readonly keys: readonly string[];
  readonly does: string;
  /** Permission or backend that its action needs; absent: none. */
  readonly needs?: 'develops' | 'waits' | 'triages' | 'deletes';
}

const SHORTCUTS: readonly Shortcut[] = [
  { keys: ['j', 'k'], does: 'Next and previous error of the list' },
  { keys: [',', '.'], does: 'Older and newer event' },
  { keys: ['e'], does: 'Resolve or unresolve', needs: 'develops' },
  { keys: ['n'], does: 'Resolve in the next release', needs: 'waits' },
  { keys: ['i'], does: 'Ignore or undo ignore', needs: 'develops' },
  { keys: ['m'], does: 'Ignore until…', needs: 'waits' },
  { keys: ['E', 'I'], does: 'Resolve or ignore, and open the next error', needs: 'develops' },
  { keys: ['a'], does: 'Assign…', needs: 'triages' },
  { keys: ['r'], does: 'Mark as reviewed', needs: 'triages' },
  { keys: ['d'], does: 'Delete…', needs: 'deletes' },
  { keys: ['z'], does: 'Undo last action', needs: 'develops' },
  { keys: ['u'], does: 'Back to errors' },
  { keys: ['?'], does: 'This help' },
];

/** Texts of the help; the page binds the same keys. */
export function errorShortcuts(has: Readonly<Record<NonNullable<Shortcut['needs']>, boolean>>): readonly Shortcut[] {
  return SHORTCUTS.filter(({ needs }) => needs === undefined || has[needs]);
}
