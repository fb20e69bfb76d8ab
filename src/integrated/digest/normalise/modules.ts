import { isRecord } from '../../../lib/own-property.ts';
import { scalarText } from './bounds/lenient-text.ts';
import { TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { trimTree } from './bounds/trim-tree.ts';

/** Normalises installed packages and their versions, in place. Drops entries that are no scalars. */
export function normaliseModules(raw: unknown, notes: Notes): Record<string, string> {
  if (!isRecord(raw)) {
    return {};
  }
  for (const name in raw) {
    if (typeof raw[name] !== 'string') {
      const text = scalarText(raw[name]);
      if (text === null) {
        // eslint-disable-next-line @typescript-eslint/no-dynamic-delete -- rare, and cheaper than copying the rest
        delete raw[name];
      } else {
        raw[name] = text;
      }
    }
  }
  return trimTree(raw, TREE.modules, notes, 'modules') as Record<string, string>;
}
