/** Wraps browser storage that may be full or forbidden. Failures are ignored: reads return null, writes false. */
function safely(storage: () => Storage) {
  return {
    read: (key: string): string | null => {
      try {
        return storage().getItem(key);
      } catch {
        return null;
      }
    },
    /** Stores a value; true on success. */
    write: (key: string, value: string): boolean => {
      try {
        storage().setItem(key, value);
        return true;
      } catch {
        return false;
      }
    },
    /** Reads and removes a value. */
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

/** Storage shared by all tabs, without expiry. */
export const { read: readStored, write: writeStored } = safely(() => window.localStorage);
/** Storage of this tab, which survives reloads. */
export const { read: readTab, write: writeTab, take: takeTab } = safely(() => window.sessionStorage);

/** Parses a stored JSON list and drops invalid items. */
export function parseStoredList<T>(stored: string | null, isItem: (value: unknown) => value is T): T[] {
  try {
    const value: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(value) ? value.filter(isItem) : [];
  } catch {
    return [];
  }
}
