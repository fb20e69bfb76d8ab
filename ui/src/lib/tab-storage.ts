/** Storage of this tab alone, over reloads; it may be full or forbidden: then nothing is kept, and nothing breaks. */
export function readTab(key: string): string | null {
  try {
    return window.sessionStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Answers whether it was kept. */
export function writeTab(key: string, value: string): boolean {
  try {
    window.sessionStorage.setItem(key, value);
    return true;
  } catch {
    return false;
  }
}
