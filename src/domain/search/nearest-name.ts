/** Longest text whose distance is counted; longer ones are near to none. */
const MAX_LENGTH = 50;

/** Returns the number of inserted, removed and replaced characters between two texts. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}

/**
 * Returns the name that a text most likely means, in any case; null when none is near: with more than two differences,
 * or more than a third of the text. Cost: the product of the lengths, times the number of names.
 */
export function nearestName(text: string, names: Iterable<string>): string | null {
  const plain = text.slice(0, MAX_LENGTH + 1).toLowerCase();
  if (plain.length > MAX_LENGTH) return null;
  let nearest: string | null = null;
  let best = Math.min(2, Math.floor(plain.length / 3)) + 1;
  for (const name of names) {
    if (Math.abs(name.length - plain.length) >= best) continue;
    const differences = distance(plain, name.toLowerCase());
    if (differences >= best) continue;
    best = differences;
    nearest = name;
  }
  return nearest;
}
