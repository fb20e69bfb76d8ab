/**
 * What a map holds for the key, made where it holds nothing, and thereby used last. A map that is only used like this
 * never holds more than `max`: beyond, what was used longest ago goes.
 */
export function latelyUsed<K, V>(map: Map<K, V>, key: K, max: number, make: () => V): V {
  const value = map.get(key) ?? make();
  map.delete(key);
  map.set(key, value);
  const [oldest = key] = map.keys();
  if (map.size > max) map.delete(oldest);
  return value;
}
