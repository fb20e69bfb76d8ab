import type { SearchTerms } from '../../search/search-terms.ts';
import type { SqliteDatabase } from '../engine/database.ts';

/** Writes the terms of an error that has none yet; nothing where its event has no frames. */
export function addTerms(db: SqliteDatabase, errorId: number, { files, functions }: SearchTerms): void {
  if (files.length === 0 && functions.length === 0) return;
  const sql = 'INSERT INTO error_terms (error_id, files, functions) VALUES (?, ?, ?) ON CONFLICT DO NOTHING';
  db.run(sql, errorId, lined(files, '/'), lined(functions, '.'));
}

/** Joins terms so that each begins with its separator and ends with a line break, as `termFilter` looks for them. */
function lined(terms: readonly string[], separator: string): string {
  return terms.map((term) => `${separator}${term}\n`).join('');
}

/** Returns the terms of a stored text. */
export function termsIn(text: string): string[] {
  return text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line) => line.slice(1));
}
