const SHORTCUTS = [
  { keys: ['j', 'k'], does: 'Next and previous error', triages: false },
  { keys: ['o', 'Enter'], does: 'Open the error', triages: false },
  { keys: ['e'], does: 'Resolve or unresolve', triages: true },
  { keys: ['i'], does: 'Ignore or undo ignore', triages: true },
  { keys: ['m'], does: 'Ignore until…', triages: true },
  { keys: ['x'], does: 'Select; e and i apply to all selected errors', triages: true },
  { keys: ['z'], does: 'Undo last action', triages: true },
  { keys: ['Esc'], does: 'Clear selection', triages: true },
  { keys: ['/'], does: 'Search', triages: false },
  { keys: ['?'], does: 'This help', triages: false },
] as const;

/** Texts of the help; the page binds the same keys. Entries with `triages` need permission to change the status. */
export function listShortcuts(mayTriage: boolean) {
  return SHORTCUTS.filter(({ triages }) => mayTriage || !triages);
}
