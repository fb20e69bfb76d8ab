import type { Breadcrumb } from '../../../domain/events/event.ts';
import { lenientText, rawText } from './bounds/lenient-text.ts';
import { parseLevel } from './level.ts';
import { MAX_BREADCRUMBS, TEXT, TREE } from './bounds/limits.ts';
import type { Notes } from './bounds/notes.ts';
import { formatTimestamp, parseTimestamp } from './timestamp.ts';
import { trimBag } from './bounds/trim-tree.ts';
import { valueList } from './bounds/value-list.ts';

/**
 * Normalises breadcrumbs, oldest first; above the bound the newest stay. `drift`: milliseconds to add to their
 * timestamps.
 */
export function normaliseBreadcrumbs(raw: unknown, drift: number, notes: Notes): Breadcrumb[] {
  let list = valueList(raw);
  if (list.length > MAX_BREADCRUMBS) {
    notes.add('breadcrumbs', `${list.length - MAX_BREADCRUMBS} omitted`);
    list = list.slice(-MAX_BREADCRUMBS);
  }
  const breadcrumbs = list.map((entry, index) => {
    notes.at('breadcrumbs', index);
    return normaliseBreadcrumb(entry, drift, notes);
  });
  notes.at();
  return breadcrumbs;
}

function normaliseBreadcrumb(raw: Record<string, unknown>, drift: number, notes: Notes): Breadcrumb {
  const at = parseTimestamp(raw.timestamp);
  return {
    timestamp: at === null ? null : shifted(at, drift),
    type: lenientText(raw.type ?? raw.ty, TEXT.breadcrumbType, notes, 'type') ?? 'default',
    category: lenientText(raw.category, TEXT.breadcrumbType, notes, 'category'),
    level: parseLevel(raw.level) ?? 'info',
    message: rawText(raw.message, TEXT.breadcrumbMessage, notes, 'message'),
    data: breadcrumbData(raw.data, notes),
  };
}

/** Normalises the data; null when empty: many SDKs send an empty object. */
function breadcrumbData(raw: unknown, notes: Notes): Record<string, unknown> | null {
  const data = trimBag(raw, TREE.breadcrumbData, notes, 'data');
  for (const _ in data) {
    return data;
  }
  return null;
}

function shifted(at: number, drift: number): string | null {
  const moved = drift === 0 ? at : parseTimestamp((at + drift) / 1000);
  return moved === null ? null : formatTimestamp(moved);
}
