import { isRecord } from '../../../lib/own-property.ts';

/**
 * The entries of `exception`, `threads`, `breadcrumbs`: clients send `{values: […]}`, a bare list, or a
 * single object. Entries that are no objects (null occurs) are dropped.
 */
export function valueList(raw: unknown): Record<string, unknown>[] {
  const values = isRecord(raw) && 'values' in raw ? raw.values : raw;
  if (Array.isArray(values)) {
    return (values as unknown[]).filter(isRecord);
  }
  return isRecord(values) ? [values] : [];
}
