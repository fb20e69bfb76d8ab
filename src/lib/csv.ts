/** Byte order mark, by which spreadsheets recognise UTF-8. */
export const BYTE_ORDER_MARK = '\ufeff';

/**
 * Place before a character that begins a formula, full-width forms included: at the start of a text, and after what
 * begins a cell in programs that separate cells by another character than the comma.
 */
const BEFORE_FORMULA = /(?<=^|[;|\t\r\n])(?=(?:\p{Cf}|[^\S\t\r\n])*[=+\-@\uff1d\uff0b\uff0d\uff20])|^(?=[\t\r\n])/gu;
const SPECIAL = /[",;\r\n\t]|^\s|\s$/;

/**
 * Returns a record of RFC 4180 with its end; null is an empty cell. Where a spreadsheet would run a part of a text as a
 * formula, an apostrophe stands before it (https://owasp.org/www-community/attacks/CSV_Injection).
 */
export function csvRecord(cells: readonly (string | number | null)[]): string {
  return `${cells.map(cellText).join(',')}\r\n`;
}

function cellText(cell: string | number | null): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return String(cell);
  const text = cell.replace(BEFORE_FORMULA, "'");
  return SPECIAL.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
