import type { SingleCondition } from '../../../domain/search-condition.ts';
import { TYPE_SEPARATORS, typeParts } from '../../type-text.ts';
import type { Filter } from './listed-tables.ts';

/** Text of a type that begins with a point, with one between its parts. */
const DOTTED = TYPE_SEPARATORS.reduce(
  (sql, separator) => `replace(${sql}, '${separator}', '.')`,
  "'.' || coalesce(e.type, '')",
);

/** Errors of a type, or of one that ends with it behind a separator; or that begins with it there. ASCII in any case. */
export function typeFilter({ value, match }: Extract<SingleCondition, { readonly field: 'type' }>): Filter {
  if (match === 'prefix') {
    return { sql: `instr(lower(${DOTTED}), lower(?)) > 0`, values: [`.${typeParts(value).join('.')}`] };
  }
  const { length } = Array.from(value);
  const end = "substr(coalesce(e.type, ''), ?, ?)";
  return {
    sql: `(coalesce(e.type, '') = ? COLLATE NOCASE OR (${end} = ? COLLATE NOCASE
      AND (${end} IN ('.', '\\', '/', '*') OR ${end} = '::')))`,
    values: [value, -length, length, value, -length - 1, 1, -length - 2, 2],
  };
}
