import { AppError } from '../domain/app-error.ts';
import type { Store } from '../domain/ports/store.ts';
import type { Project } from '../domain/project.ts';
import type { TokenSealer } from './sealed-token.ts';

/** Settings that change while they are encrypted anew are looked at again, this often at most. */
const MAX_PASSES = 5;

export interface Reencrypted {
  /** Tokens that were encrypted under another key than the newest. */
  readonly changed: number;
  /** Projects whose token no key here opens; it was left as it is. */
  readonly unreadable: readonly Project[];
}

/** Brings every stored token under the newest key. Safe to repeat, and beside a running service. */
export async function reencryptTokens(
  store: Pick<Store, 'listProjects' | 'settings' | 'replaceSealedToken'>,
  sealer: TokenSealer,
): Promise<Reencrypted> {
  const unreadable = new Map<number, Project>();
  let changed = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    let moved = 0;
    for (const project of await store.listProjects()) {
      const sealed = (await store.settings(project.id))?.sealedToken ?? null;
      if (sealed === null || sealer.isCurrent(sealed) || unreadable.has(project.id)) continue;
      const token = opened(sealer, sealed, project.id);
      if (token === null) {
        unreadable.set(project.id, project);
        continue;
      }
      moved += 1;
      // What was saved meanwhile is newer than what was read: it is left for the next pass.
      if (await store.replaceSealedToken(project.id, sealed, sealer.seal(token, project.id))) changed += 1;
    }
    if (moved === 0) break;
  }
  return { changed, unreadable: [...unreadable.values()] };
}

function opened(sealer: TokenSealer, sealed: string, projectId: number): string | null {
  try {
    return sealer.open(sealed, projectId);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
