import { existsSync, readFileSync } from 'node:fs';

/** Version of the package, whether this runs from the sources or from `dist/`. */
export function packageVersion(): string {
  const places = ['../../package.json', '../../../package.json'].map((place) => new URL(place, import.meta.url));
  const found = places.find((place) => existsSync(place));
  if (found === undefined) return 'unknown';
  return (JSON.parse(readFileSync(found, 'utf8')) as { version: string }).version;
}
