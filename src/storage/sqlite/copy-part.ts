import type { SqliteDatabase } from './database.ts';
import type { Row } from './driver.ts';

/** How the rows of a part are counted and read. */
export interface CopyPartOf<R> {
  readonly count: string;
  /** Rows by keyset; `?` is the last row's `cursor`, in the order of which they come. */
  readonly page: string;
  readonly first: number | string | Uint8Array;
  toRow(row: Row, db: SqliteDatabase): R;
}
