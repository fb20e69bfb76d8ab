import { AppError } from '../../domain/app-error.ts';
import { PUBLIC_KEY_PATTERN } from '../../domain/projects/dsn.ts';
import type { ProjectContext } from '../project-context.ts';
import { setUpAgain } from '../state/project-state.ts';
import type { ProjectsReader, RemoteKey } from '../tracker-reader.ts';
import { keyName } from './target-project.ts';

/** `known`: the project had the key before. `refused`: it cannot be imported, and is listed. */
type KeyResult = 'added' | 'known' | 'refused';

/**
 * Imports all keys of the project, inactive ones as inactive. A key of another project here is refused and listed.
 * Returns the number of keys that were added.
 */
export async function importKeys(context: ProjectContext<ProjectsReader>): Promise<number> {
  const { from, signal, slug, state } = context;
  let added = 0;
  await context.read('keys', 'keys', async () => {
    let count = 0;
    for await (const key of from.reader.keys(slug, signal)) {
      const result = await importKey(context, key);
      count += Number(result !== 'refused');
      added += Number(result === 'added');
    }
    state.keys = count;
  });
  return added;
}

async function importKey(context: ProjectContext<ProjectsReader>, key: RemoteKey): Promise<KeyResult> {
  const { deps, projectId, state } = context;
  const { publicKey, label, active, rateLimit } = key;
  const name = keyName(label, publicKey);
  if (!PUBLIC_KEY_PATTERN.test(publicKey)) {
    context.leaveOut(`key "${name}"`, 'it has characters that no DSN can have', 'mend');
    return 'refused';
  }
  if (rateLimit !== null) {
    setUpAgain(state, [`limit of key "${name}": ${rateLimit.count} events in ${rateLimit.window} s`]);
  }
  const holder = await deps.store.keyByPublicKey(publicKey);
  if (holder !== null) return heldKey(context, name, holder.projectId);
  try {
    if (!active) await rememberInactive(context, publicKey);
    await deps.store.createKey(projectId, publicKey);
    return 'added';
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return await heldKey(context, name, (await deps.store.keyByPublicKey(publicKey))?.projectId ?? 0);
  } finally {
    await switchOffInactive(context);
  }
}

async function heldKey(context: ProjectContext<ProjectsReader>, name: string, holderId: number): Promise<KeyResult> {
  if (holderId === context.projectId) return 'known';
  const holder = await context.deps.store.projectById(holderId);
  const reason = `it belongs to ${holder?.path ?? 'another project'} here, which keeps it; its applications need a new DSN`;
  context.leaveOut(`key "${name}"`, reason, 'mend');
  return 'refused';
}

/** Notes a key before it is created, so that a killed import does not leave it active. */
async function rememberInactive(context: ProjectContext<ProjectsReader>, publicKey: string): Promise<void> {
  context.state.inactiveKey = publicKey;
  await context.stepDone();
}

/** Switches off the noted key, which may be left from an import that was killed. */
export async function switchOffInactive(context: ProjectContext<ProjectsReader>): Promise<void> {
  const { deps, projectId, state } = context;
  if (state.inactiveKey === null) return;
  const key = await deps.store.keyByPublicKey(state.inactiveKey);
  if (key?.projectId === projectId) await deps.store.setKeyActive(projectId, key.id, false);
  state.inactiveKey = null;
  await context.stepDone();
}
