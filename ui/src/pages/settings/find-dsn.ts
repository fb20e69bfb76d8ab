import { ApiFailure } from '../../api/api-failure.ts';
import { listKeys } from '../../api/keys-api.ts';
import { rotationsOf } from './rotations.ts';
import { shownKey } from './shown-key.ts';

/** Reads the DSN to copy; null without an active key or without permission. */
export async function findDsn(project: string): Promise<string | null> {
  try {
    const keys = await listKeys(project);
    return shownKey(keys, rotationsOf(project, keys))?.thirdparty_dsn ?? null;
  } catch (error) {
    if (error instanceof ApiFailure && error.kind === 'forbidden') return null;
    throw error;
  }
}
