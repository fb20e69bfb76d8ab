import { AppError } from '../../domain/app-error.ts';
import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import type { SecondFactorStore } from '../../domain/ports/stores/second-factor-store.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { TokenCipher } from './encrypted-token.ts';

/** Maximum of passes over settings that change during the run. */
const MAX_PASSES = 5;

export interface Reencrypted {
  /** Number of tokens that were encrypted with an older key. */
  readonly changed: number;
  /** Projects whose token no available key decrypts; it is unchanged. */
  readonly unreadable: readonly Project[];
}

/** Encrypts all stored tokens with the newest key. Idempotent and safe beside a running service. */
export async function reencryptTokens(
  store: Pick<Store, 'listProjects' | 'settings' | 'replaceEncryptedToken'>,
  cipher: TokenCipher,
): Promise<Reencrypted> {
  const unreadable = new Map<number, Project>();
  let changed = 0;
  for (let pass = 0; pass < MAX_PASSES; pass += 1) {
    let moved = 0;
    for (const project of await store.listProjects()) {
      const encrypted = (await store.settings(project.id))?.sealedToken ?? null;
      if (encrypted === null || cipher.isCurrent(encrypted) || unreadable.has(project.id)) continue;
      const token = opened(cipher, encrypted, project.id);
      if (token === null) {
        unreadable.set(project.id, project);
        continue;
      }
      moved += 1;
      // A token saved meanwhile is newer; the next pass handles it.
      if (await store.replaceEncryptedToken(project.id, encrypted, cipher.encrypt(token, project.id))) changed += 1;
    }
    if (moved === 0) break;
  }
  return { changed, unreadable: [...unreadable.values()] };
}

/** Encrypts the DSNs of all forwards with the newest key. Idempotent and safe beside a running service. */
export async function reencryptForwards(
  store: Pick<Store, 'listProjects' | 'listForwards' | 'replaceSealedDsn'>,
  cipher: TokenCipher,
): Promise<Reencrypted> {
  const unreadable: number[] = [];
  let changed = 0;
  for (const { projectId, sealedDsn } of await store.listForwards()) {
    if (cipher.isCurrent(sealedDsn)) continue;
    const dsn = opened(cipher, sealedDsn, projectId);
    if (dsn === null) unreadable.push(projectId);
    else if (await store.replaceSealedDsn(projectId, sealedDsn, cipher.encrypt(dsn, projectId))) changed += 1;
  }
  const projects = unreadable.length === 0 ? [] : await store.listProjects();
  return { changed, unreadable: projects.filter(({ id }) => unreadable.includes(id)) };
}

/** Encrypts the secrets of all channels of alerts with the newest key. Idempotent and safe beside a running service. */
export async function reencryptChannels(
  store: Pick<Store, 'listProjects'> & Pick<AlertStore, 'listChannels' | 'replaceSealedChannel'>,
  cipher: TokenCipher,
): Promise<Reencrypted> {
  const unreadable: number[] = [];
  let changed = 0;
  for (const { id, projectId, sealed } of await store.listChannels(null)) {
    if (cipher.isCurrent(sealed)) continue;
    const secrets = opened(cipher, sealed, projectId);
    if (secrets === null) unreadable.push(projectId);
    else if (await store.replaceSealedChannel(id, sealed, cipher.encrypt(secrets, projectId))) changed += 1;
  }
  const projects = unreadable.length === 0 ? [] : await store.listProjects();
  return { changed, unreadable: projects.filter(({ id }) => unreadable.includes(id)) };
}

/** Encrypts the tokens of all issue trackers with the newest key. Idempotent and safe beside a running service. */
export async function reencryptIssueTokens(
  store: Pick<Store, 'listProjects'> & Pick<LinkStore, 'projectLinks' | 'replaceSealedIssueToken'>,
  cipher: TokenCipher,
): Promise<Reencrypted> {
  const unreadable: Project[] = [];
  let changed = 0;
  for (const project of await store.listProjects()) {
    const { sealedToken } = await store.projectLinks(project.id);
    if (sealedToken === null || cipher.isCurrent(sealedToken)) continue;
    const token = opened(cipher, sealedToken, project.id);
    if (token === null) unreadable.push(project);
    else if (await store.replaceSealedIssueToken(project.id, sealedToken, cipher.encrypt(token, project.id)))
      changed += 1;
  }
  return { changed, unreadable };
}

/** Encrypts the secrets of all webhooks of issues with the newest key. Idempotent and safe beside a running service. */
export async function reencryptIssueHooks(
  store: Pick<Store, 'listProjects'> & Pick<LinkStore, 'listIssueHooks' | 'replaceSealedHook'>,
  cipher: TokenCipher,
): Promise<Reencrypted> {
  const unreadable: number[] = [];
  let changed = 0;
  for (const { projectId, sealed } of await store.listIssueHooks()) {
    if (cipher.isCurrent(sealed)) continue;
    const secret = opened(cipher, sealed, projectId);
    if (secret === null) unreadable.push(projectId);
    else if (await store.replaceSealedHook(projectId, sealed, cipher.encrypt(secret, projectId))) changed += 1;
  }
  const projects = unreadable.length === 0 ? [] : await store.listProjects();
  return { changed, unreadable: projects.filter(({ id }) => unreadable.includes(id)) };
}

/**
 * Encrypts the secrets of all second factors with the newest key. Idempotent and safe beside a running service. Returns
 * the ids of the users whose secret no available key decrypts.
 */
export async function reencryptSecondFactors(
  store: Pick<SecondFactorStore, 'listSecondFactors' | 'replaceSealedSecret'>,
  cipher: TokenCipher,
): Promise<{ readonly changed: number; readonly unreadable: readonly number[] }> {
  const unreadable: number[] = [];
  let changed = 0;
  for (const { userId, sealedSecret } of await store.listSecondFactors()) {
    if (cipher.isCurrent(sealedSecret)) continue;
    const secret = opened(cipher, sealedSecret, userId);
    if (secret === null) unreadable.push(userId);
    else if (await store.replaceSealedSecret(userId, sealedSecret, cipher.encrypt(secret, userId))) changed += 1;
  }
  return { changed, unreadable };
}

function opened(cipher: TokenCipher, encrypted: string, projectId: number): string | null {
  try {
    return cipher.decrypt(encrypted, projectId);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}
