/** Returns the name. Throws a TypeError for one that is not as the port says: names are never made of foreign text. */
export function requireFileName(name: string): string {
  if (/^[a-z0-9][a-z0-9-]*(\/[a-z0-9][a-z0-9-]*)+$/.test(name)) return name;
  throw new TypeError('this is no name of a file of the store');
}
