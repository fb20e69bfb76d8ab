import { fileURLToPath } from 'node:url';

/** Where the pages are built to, `dist/ui`, whether this runs from the sources or from `dist/`. It need not exist. */
export function uiDir(): string {
  const built = new URL('../ui/', import.meta.url);
  const fromSources = new URL('../dist/ui/', import.meta.url);
  return fileURLToPath(built.pathname.endsWith('/dist/ui/') ? built : fromSources);
}
