import { isRecord } from '../../../lib/own-property.ts';
import { scalarText } from './lenient-text.ts';
import { TREE } from './limits.ts';
import type { Notes } from './notes.ts';
import { trimTree } from './trim-tree.ts';

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
