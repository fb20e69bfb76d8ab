import { readdirSync, readFileSync } from 'node:fs';
import { QUERY_SUBJECTS } from '../../src/storage/mongo/query-name.ts';

const SOURCES = new URL('../../src/storage/mongo/', import.meta.url);
const SUBJECTS: ReadonlySet<string> = new Set(QUERY_SUBJECTS);

/** Names of all queries in the sources of the MongoDB store, in alphabetical order. */
export function queryNames(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const literals = files.flatMap((file) =>
    [...readFileSync(new URL(file, SOURCES), 'utf8').matchAll(/'((\w+)\.\w+)'/g)].filter(([, , subject = '']) =>
      SUBJECTS.has(subject),
    ),
  );
  return [...new Set(literals.map(([, name = '']) => name))].sort();
}
