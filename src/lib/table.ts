import Table from 'cli-table3';
import { inertLine } from './text/inert-text.ts';

export type Cell = string | number | boolean | null;

const CHARS = {
  top: '',
  'top-mid': '',
  'top-left': '',
  'top-right': '',
  bottom: '',
  'bottom-mid': '',
  'bottom-left': '',
  'bottom-right': '',
  left: '',
  'left-mid': '',
  mid: '',
  'mid-mid': '',
  right: '',
  'right-mid': '',
  middle: '  ',
};

/**
 * Escapes a cell: control characters could move the cursor of a terminal or forge rows; direction marks could reorder
 * it.
 */
function text(cell: Cell): string {
  if (cell === null) return '-';
  if (typeof cell === 'boolean') return cell ? 'yes' : 'no';
  return inertLine(String(cell));
}

/** Renders a plain table without colours: a header line, then one line per row. */
export function renderTable(head: readonly string[], rows: readonly (readonly Cell[])[]): string {
  const table = new Table({
    head: head.map((name) => name.toUpperCase()),
    chars: CHARS,
    style: { 'padding-left': 0, 'padding-right': 0, head: [], border: [] },
  });
  for (const row of rows) table.push(row.map(text));
  return table
    .toString()
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n');
}
