import { kind, text, type Kind } from '../kind.ts';

/** Value that all processes share. */
interface SharedValue {
  readonly key: string;
  readonly value: string;
}

/** SQLite also keeps leases and the version of ingestion data here. */
export const meta: Kind<SharedValue, 'key'> = kind({
  name: 'meta',
  key: ['key'],
  of: 'instance',
  members: { key: text(), value: text() },
});

/** How far an import came. Its key begins with its project, where it has one, with which the stores remove it. */
interface ImportState {
  readonly key: string;
  readonly state: string;
}

export const importStates: Kind<ImportState, 'key'> = kind({
  name: 'importStates',
  key: ['key'],
  of: 'instance',
  members: { key: text(), state: text() },
});
