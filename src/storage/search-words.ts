/** The words of a search in lower case, each once; all of them must occur. */
export function searchWords(search: string | null): string[] {
  const words = (search ?? '').toLowerCase().split(/\s+/u);
  return [...new Set(words.filter((word) => word !== ''))];
}
