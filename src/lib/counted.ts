/** `1 record`, `2 records`; of a noun whose plural ends with an s. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
