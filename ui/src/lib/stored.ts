/** Storage of the browser that may be full or forbidden: then nothing is kept, and nothing breaks. */
function safely(storage: () => Storage) {
  return {
    read: (key: string): string | null => {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    /** Answers whether it was kept. */
    write: (key: string, value: string): boolean => {
      try {
        storage().setItem(key, value);
        return true;
      } catch {
        return false;
      }
    },
    /** Reads what is then no longer kept. */
    take: (key: string): string | null => {
      try {
        const value = storage().getItem(key);
        storage().removeItem(key);
        return value;
      } catch {
        return null;
      }
    },
  };
}

/** Of all tabs, for good. */
export const { read: readStored, write: writeStored } = safely(() => window.localStorage);
/** Of this tab alone, over reloads. */
export const { read: readTab, write: writeTab, take: takeTab } = safely(() => window.sessionStorage);

/** A list as JSON that was stored, as far as it is what we store. */
export function parseStoredList<T>(stored: string | null, isItem: (value: unknown) => value is T): T[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isItem) : [];
  } catch {
    return [];
  }
}
