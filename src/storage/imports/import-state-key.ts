/** Returns the number of the project that a state goes with, as its key begins; null for states of no project. */
export function projectOfState(key: string): number | null {
  const [, id] = /^(\d{1,15})\//.exec(key) ?? [];
  return id === undefined ? null : Number(id);
}
