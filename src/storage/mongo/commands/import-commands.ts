import { AppError } from '../../../domain/app-error.ts';
import type { ImportStore } from '../../../domain/ports/import-store.ts';
import type { StoreTable } from '../../store-table.ts';

function notYet(): never {
  throw new AppError(
    'invalid_configuration',
    'importing history into MongoDB is not part of this version: use the embedded store',
  );
}

/** Methods of imports, all of which refuse. */
export const NO_IMPORTS = {
  addImportSource: notYet,
  listImportSources: notYet,
  setBothReceiveUntil: notYet,
  importState: notYet,
  saveImportState: notYet,
  listImportStates: notYet,
  putImportedError: notYet,
  missingIssues: notYet,
  knownThere: notYet,
  markKnownThere: notYet,
  setBase: notYet,
  addAliases: notYet,
  endAlias: notYet,
  unmergedAliases: notYet,
  errorsToLookUp: notYet,
  addImportedEvents: notYet,
  putNotes: notYet,
  putReleases: notYet,
  findByExternalId: notYet,
  importedOrigin: notYet,
} as const satisfies StoreTable<unknown> & Record<keyof ImportStore, unknown>;
