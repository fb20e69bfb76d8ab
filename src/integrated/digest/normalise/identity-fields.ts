import { lenientText } from './lenient-text.ts';
import { TEXT } from './limits.ts';
import type { Notes } from './notes.ts';

/*
 * Names that show up in addresses, filters and file names elsewhere. What the protocol forbids is
 * refused and noted: keeping half a name would count under something that does not exist.
 */

export function normaliseRelease(raw: unknown, notes: Notes): string | null {
  const release = lenientText(raw, TEXT.release, notes, 'release');
  const refused = release !== null && (/[/\\\r\n\t\f]/.test(release) || /^(?:\.{1,2}|latest)$/i.test(release));
  return refused ? refuse(notes, 'release') : release;
}

export function normaliseDist(raw: unknown, notes: Notes): string | null {
  const dist = lenientText(raw, TEXT.dist, notes, 'dist');
  return dist !== null && !/^[\w.-]+$/.test(dist) ? refuse(notes, 'dist') : dist;
}

export function normaliseEnvironment(raw: unknown, notes: Notes): string | null {
  const environment = lenientText(raw, TEXT.environment, notes, 'environment');
  const refused = environment !== null && (/[/\r\n]/.test(environment) || environment.toLowerCase() === 'none');
  return refused ? refuse(notes, 'environment') : environment;
}

function refuse(notes: Notes, name: string): null {
  notes.add(name, 'refused');
  return null;
}
