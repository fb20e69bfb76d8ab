/** Changes the items of a list. Returns the same list when each of its items stays the same. */
export function mappedList<T>(list: T[], change: (item: T) => T): T[] {
  const result = list.map(change);
  return result.every((item, at) => item === list[at]) ? list : result;
}
