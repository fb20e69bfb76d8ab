import { lenientText } from './bounds/lenient-text.ts';
import { TEXT } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';

/*
 * Names that show up in addresses, filters and file names elsewhere. What the protocol forbids is
 * dropped and noted: keeping half a name would count under something that does not exist.
 */

/** Members of an event that are dropped as a whole where they are invalid, and counted as such. */
export const IDENTITY_FIELDS = ['release', 'dist', 'environment'] as const;
export type IdentityField = (typeof IDENTITY_FIELDS)[number];

export function normaliseRelease(raw: unknown, notes: Notes): string | null {
  const release = lenientText(raw, TEXT.release, notes, 'release');
  if (release === null) return null;
  if (/[/\\]/.test(release)) return drop(notes, 'release', 'has a slash');
  if (/[\r\n\t\f]/.test(release)) return drop(notes, 'release', 'has a line break or tab');
  return /^(?:\.{1,2}|latest)$/i.test(release) ? drop(notes, 'release', 'is a reserved word') : release;
}

export function normaliseDist(raw: unknown, notes: Notes): string | null {
  const dist = lenientText(raw, TEXT.dist, notes, 'dist');
  return dist !== null && !/^[\w.-]+$/.test(dist)
    ? drop(notes, 'dist', 'has other characters than letters, digits, _, . and -')
    : dist;
}

/** Spaces are allowed. */
export function normaliseEnvironment(raw: unknown, notes: Notes): string | null {
  const environment = lenientText(raw, TEXT.environment, notes, 'environment');
  if (environment === null) return null;
  if (environment.includes('/')) return drop(notes, 'environment', 'has a slash');
  if (/[\r\n]/.test(environment)) return drop(notes, 'environment', 'has a line break');
  return environment.toLowerCase() === 'none' ? drop(notes, 'environment', 'is a reserved word') : environment;
}

function drop(notes: Notes, name: IdentityField, why: string): null {
  notes.dropped(name, why);
  return null;
}

/** Returns which of these members notes say to be dropped. */
export function droppedFields(notes: readonly string[]): IdentityField[] {
  return IDENTITY_FIELDS.filter((name) => notes.some((note) => note.startsWith(`dropped: ${name} is invalid (`)));
}
