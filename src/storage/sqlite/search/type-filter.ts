import type { SingleCondition } from '../../../domain/search/search-condition.ts';
import { TYPE_SEPARATORS, typeParts } from '../../search/type-text.ts';
import type { Filter, Listed } from './listed-tables.ts';

type TypeCondition = Extract<SingleCondition, { readonly field: 'type' }>;

/** Returns the text of a type that begins with a point, with one between its parts. */
const dotted = (type: string): string =>
  TYPE_SEPARATORS.reduce((sql, separator) => `replace(${sql}, '${separator}', '.')`, `'.' || ${type}`);

/**
 * Errors of a type, or of one that ends with it behind a separator; or that begins with it there. ASCII in any case. A
 * merged error has the types of all its members.
 */
export function typeFilter(condition: TypeCondition, { merged, rows }: Listed): Filter {
  if (merged === 0) return ofRow(condition, 'e');
  const { sql, values } = ofRow(condition, 'o');
  return { sql: `EXISTS (SELECT 1 FROM errors o WHERE o.id ${rows} AND ${sql})`, values };
}

function ofRow({ value, match }: TypeCondition, row: 'e' | 'o'): Filter {
  const type = `coalesce(${row}.type, '')`;
  if (match === 'prefix') {
    return { sql: `instr(lower(${dotted(type)}), lower(?)) > 0`, values: [`.${typeParts(value).join('.')}`] };
  }
  const { length } = Array.from(value);
  const end = `substr(${type}, ?, ?)`;
  return {
    sql: `(${type} = ? COLLATE NOCASE OR (${end} = ? COLLATE NOCASE
      AND (${end} IN ('.', '\\', '/', '*') OR ${end} = '::')))`,
    values: [value, -length, length, value, -length - 1, 1, -length - 2, 2],
  };
}
