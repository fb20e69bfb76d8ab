/** Keys counted per error; events with further keys are stored, the keys are not counted. */
export const MAX_TAG_KEYS = 60;
/** Values counted per error and key; further ones only add to the key's total, shown as `other`. */
const MAX_TAG_VALUES = 20;
/** The same for the keys that lists can be filtered by. */
const MAX_FILTER_VALUES = 100;

/** How many values of a key are counted one by one. */
export function maxValuesOf(key: string): number {
  return key === 'environment' || key === 'release' ? MAX_FILTER_VALUES : MAX_TAG_VALUES;
}
