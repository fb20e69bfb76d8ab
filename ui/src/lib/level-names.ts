const NAMES: Readonly<Record<string, string>> = {
  fatal: 'Fatal',
  error: 'Error',
  warning: 'Warning',
  info: 'Info',
  debug: 'Debug',
};

/** Level in words: `Error`. */
export function levelName(level: string): string {
  return NAMES[level] ?? level;
}
