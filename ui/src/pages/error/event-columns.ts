import type { EventRow } from '../../api/events-api.ts';
import { userNames } from '../../lib/event-facts.ts';
import { levelName } from '../../lib/level-names.ts';
import { parseStoredList, readStored, writeStored } from '../../lib/stored.ts';

type Columns = NonNullable<EventRow['columns']>;

interface Column {
  readonly key: string;
  readonly name: string;
  readonly textOf: (columns: Columns) => string;
}

/** Columns that a table of events can have, besides the time. */
export const COLUMNS = [
  { key: 'release', name: 'Release', textOf: ({ release }) => release ?? '' },
  { key: 'environment', name: 'Environment', textOf: ({ environment }) => environment ?? '' },
  { key: 'user', name: 'User', textOf: ({ user }) => userNames(user).first },
  { key: 'browser', name: 'Browser', textOf: ({ browser }) => browser ?? '' },
  { key: 'os', name: 'OS', textOf: ({ os }) => os ?? '' },
  { key: 'url', name: 'URL', textOf: ({ url }) => url ?? '' },
  { key: 'transaction', name: 'Transaction', textOf: ({ transaction }) => transaction ?? '' },
  { key: 'message', name: 'Message', textOf: ({ message }) => message ?? '' },
  { key: 'level', name: 'Level', textOf: ({ level }) => (level === null ? '' : levelName(level)) },
  { key: 'runtime', name: 'Runtime', textOf: ({ runtime }) => runtime ?? '' },
  { key: 'device', name: 'Device', textOf: ({ device }) => device ?? '' },
  { key: 'server_name', name: 'Server', textOf: ({ server_name: server }) => server ?? '' },
] as const satisfies readonly Column[];

export type ColumnKey = (typeof COLUMNS)[number]['key'];

const DEFAULT_COLUMNS: readonly ColumnKey[] = ['release', 'environment', 'user', 'browser', 'url'];

/** Storage key of the chosen columns. */
const KEY = 'errgate.event-columns';

function isColumn(value: unknown): value is ColumnKey {
  return COLUMNS.some(({ key }) => key === value);
}

/** Columns that were chosen in this browser. */
export function storedColumns(): readonly ColumnKey[] {
  const stored = readStored(KEY);
  return stored === null ? DEFAULT_COLUMNS : parseStoredList(stored, isColumn);
}

export function storeColumns(keys: readonly ColumnKey[]): void {
  writeStored(KEY, JSON.stringify(keys));
}
