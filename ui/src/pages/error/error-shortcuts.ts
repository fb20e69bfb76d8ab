const SHORTCUTS = [
  { keys: ['j'], does: 'Next error of the list', triages: false },
  { keys: ['k'], does: 'Previous error of the list', triages: false },
  { keys: [','], does: 'Older event', triages: false },
  { keys: ['.'], does: 'Newer event', triages: false },
  { keys: ['e'], does: 'Resolve or unresolve', triages: true },
  { keys: ['i'], does: 'Ignore or undo ignore', triages: true },
  { keys: ['m'], does: 'Ignore until…', triages: true },
  { keys: ['a'], does: 'Assign to me, or to nobody', triages: true },
  { keys: ['u'], does: 'Back to errors', triages: false },
  { keys: ['?'], does: 'This help', triages: false },
] as const;

/** Texts of the help; the page binds the same keys. Entries with `triages` need permission to change the status. */
export function errorShortcuts(mayTriage: boolean) {
  return SHORTCUTS.filter(({ triages }) => mayTriage || !triages);
}
