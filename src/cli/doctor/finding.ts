/** One line of the doctor's report. */
export interface Finding {
  /** Short fixed name of the check. */
  readonly check: string;
  /** `warn`: works, but a person should know. `fail`: something does not work. */
  readonly status: 'ok' | 'warn' | 'fail';
  readonly message: string;
  /** Remedy for the user; null when nothing is to do. */
  readonly advice: string | null;
}

export function ok(check: string, message: string): Finding {
  return { check, status: 'ok', message, advice: null };
}

export function warn(check: string, message: string, advice: string): Finding {
  return { check, status: 'warn', message, advice };
}

export function fail(check: string, message: string, advice: string): Finding {
  return { check, status: 'fail', message, advice };
}

export function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const UNITS = ['bytes', 'KiB', 'MiB', 'GiB', 'TiB'];

/** `1536` is `1.5 KiB`. */
export function bytesText(bytes: number): string {
  const power = Math.min(UNITS.length - 1, Math.floor(Math.log2(Math.max(1, bytes)) / 10));
  const value = bytes / 2 ** (10 * power);
  return `${power === 0 ? value : value.toFixed(1)} ${UNITS[power] ?? ''}`;
}

/** Formats an age in whole seconds, minutes, hours or days, whichever reads best. */
export function ageText(milliseconds: number): string {
  const seconds = Math.max(0, Math.round(milliseconds / 1000));
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)} min`;
  if (seconds < 172_800) return `${Math.round(seconds / 3600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}
