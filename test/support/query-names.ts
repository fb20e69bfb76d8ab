import { readdirSync, readFileSync } from 'node:fs';
import { QUERY_SUBJECTS } from '../../src/storage/mongo/engine/query-name.ts';
import { RECORD_QUERIES } from '../../src/storage/mongo/records/record-queries.ts';
import { KIND_LABELS } from '../../src/storage/records/kinds.ts';
import { projects } from '../../src/storage/records/owners.ts';

const SOURCES = new URL('../../src/storage/mongo/', import.meta.url);
const SUBJECTS: ReadonlySet<string> = new Set([...QUERY_SUBJECTS, ...KIND_LABELS]);

/** Names of all queries that are texts in the sources of the MongoDB store, in alphabetical order. */
export function queryNames(): string[] {
  const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const literals = files.flatMap((file) =>
    [...readFileSync(new URL(file, SOURCES), 'utf8').matchAll(/'((\w+)\.\w+)'/g)].filter(([, , subject = '']) =>
      SUBJECTS.has(subject),
    ),
  );
  return [...new Set(literals.map(([, name = '']) => name))].sort();
}

/** Names of all queries that the store may ask about declared kinds, by label. */
export function recordQueryNames(): Map<string, string[]> {
  return new Map(KIND_LABELS.map((label) => [label, RECORD_QUERIES.map((query) => `${label}.${query}`)]));
}

/** Names of the queries for rows that records refer to. */
export const REFERENCE_QUERIES: readonly string[] = [`${projects.name}.get`];
