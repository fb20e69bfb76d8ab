/** Returns a number with its noun: `1 record`, `2 records`. Only for nouns whose plural ends with an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
