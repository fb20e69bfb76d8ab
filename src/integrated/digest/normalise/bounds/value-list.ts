import { isRecord } from '../../../../lib/own-property.ts';

/**
 * Returns the entries of `exception`, `threads` or `breadcrumbs`. Clients send `{values: […]}`, a bare list, or a
 * single object. Drops entries that are no objects (null occurs).
 */
export function valueList(raw: unknown): Record<string, unknown>[] {
  const values = isRecord(raw) && 'values' in raw ? raw.values : raw;
  if (Array.isArray(values)) {
    return (values as unknown[]).filter(isRecord);
  }
  return isRecord(values) ? [values] : [];
}
