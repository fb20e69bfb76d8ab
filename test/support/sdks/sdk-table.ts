import Table from 'cli-table3';
import { recordResult } from '../record-result.ts';

/** Row of the table of SDKs: `yes`, `NO` or `-` per assertion. */
export interface SdkRow {
  readonly language: string;
  readonly sdk: string;
  readonly version: string;
  readonly how: string;
  readonly results: ReadonlyMap<string, boolean>;
}

/** Collects the assertions per SDK. `columns` lists the assertions in the order of the table. */
export class SdkTable {
  readonly #columns: readonly string[];
  readonly #rows: SdkRow[] = [];

  constructor(columns: readonly string[]) {
    this.#columns = columns;
  }

  add(row: SdkRow): void {
    this.#rows.push(row);
    const results = Object.fromEntries(this.#columns.map((column) => [column, word(row, column)]));
    const { language, sdk, version, how } = row;
    recordResult('sdk-table', { language, sdk, version, how, ...results });
  }

  print(): void {
    const table = new Table({ head: ['SDK', 'version', 'how', ...this.#columns], style: { head: [], border: [] } });
    for (const row of this.#rows) {
      table.push([row.sdk, row.version, row.how, ...this.#columns.map((column) => word(row, column))]);
    }
    console.log(table.toString());
  }
}

function word({ results }: SdkRow, column: string): string {
  const passed = results.get(column);
  return passed === undefined ? '-' : passed ? 'yes' : 'NO';
}
