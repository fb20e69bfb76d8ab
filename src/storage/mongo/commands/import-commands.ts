import { AppError } from '../../../domain/app-error.ts';
import type { ImportStore } from '../../../domain/ports/import-store.ts';
import type { StoreTable } from '../../store-table.ts';

function notYet(): never {
  throw new AppError(
    'invalid_configuration',
    'importing history into MongoDB is not part of this version: use the embedded store',
  );
}

const noRows = (): never[] => [];
const nothing = (): null => null;

/** Methods of imports: there are none to read, and writes are refused. */
export const NO_IMPORTS = {
  addImportSource: notYet,
  listImportSources: noRows,
  setBothReceiveUntil: notYet,
  importState: nothing,
  saveImportState: notYet,
  listImportStates: noRows,
  putImportedError: notYet,
  reserveErrorNumbers: notYet,
  missingIssues: noRows,
  knownThere: notYet,
  markKnownThere: notYet,
  setBase: notYet,
  addAliases: notYet,
  endAlias: notYet,
  unmergedAliases: noRows,
  errorsToLookUp: notYet,
  addImportedEvents: notYet,
  putNotes: notYet,
  putReleases: notYet,
  findByExternalId: noRows,
  importedOrigin: nothing,
} as const satisfies StoreTable<unknown> & Record<keyof ImportStore, unknown>;
