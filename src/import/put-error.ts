import { importedDetails } from '../domain/imports/imported-details.ts';
import type { ImportedError } from '../domain/imports/import.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ImportStore } from '../domain/ports/stores/import-store.ts';
import { addNamedRelease, type NamedReleaseStore } from '../integrated/triage/named-release.ts';

export type ErrorsStore = ImportStore & NamedReleaseStore;

/**
 * Creates or updates the error of an issue. Where it was resolved in a commit alone, adds the release that names the
 * commit. Null: see `putImportedError`.
 */
export async function putError(
  { store, clock }: { readonly store: ErrorsStore; readonly clock: Clock },
  projectId: number,
  error: ImportedError,
): ReturnType<ImportStore['putImportedError']> {
  const put = await store.putImportedError(projectId, error, clock.now());
  if (put === null) return null;
  const { details } = importedDetails(error.status, null);
  await addNamedRelease(store, projectId, [put.errorId], details, clock.now());
  return put;
}
