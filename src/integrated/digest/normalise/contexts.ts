import { cleanText, cutText } from '../../../lib/text/clean-text.ts';
import { isRecord, setOwn } from '../../../lib/own-property.ts';
import { MAX_CONTEXTS, MAX_KEY, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { trimTree } from './bounds/trim-tree.ts';

/** Normalises contexts: objects by name, each with its own bound. Drops entries that are no objects. */
export function normaliseContexts(raw: unknown, notes: Notes): Record<string, unknown> {
  const contexts: Record<string, unknown> = {};
  if (!isRecord(raw)) {
    return contexts;
  }
  let count = 0;
  for (const name in raw) {
    const context = raw[name];
    if (!isRecord(context)) {
      const isEmpty = context === null || context === '' || (Array.isArray(context) && context.length === 0);
      if (!isEmpty) notes.dropped('contexts', 'one of them is no object');
      continue;
    }
    if (count === MAX_CONTEXTS) {
      notes.add('contexts', `more than ${MAX_CONTEXTS}, the rest omitted`);
      break;
    }
    count += 1;
    setOwn(contexts, cutText(cleanText(name), MAX_KEY), trimTree(context, TREE.context, notes, 'contexts'));
  }
  return contexts;
}
