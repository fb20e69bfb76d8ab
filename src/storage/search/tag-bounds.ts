/** Maximum counted keys per error. Events with further keys are stored; those keys are not counted. */
export const MAX_TAG_KEYS = 60;
/** Maximum counted values per error and key; further ones only add to the key's total, shown as `other`. */
const MAX_TAG_VALUES = 20;
/** Maximum counted values for the keys that lists can be filtered by. */
const MAX_FILTER_VALUES = 100;

/** Returns the maximum of counted values of a key. */
export function maxValuesOf(key: string): number {
  return key === 'environment' || key === 'release' ? MAX_FILTER_VALUES : MAX_TAG_VALUES;
}
