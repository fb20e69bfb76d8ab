import { AppError } from '../../domain/app-error.ts';
import { PUBLIC_KEY_PATTERN } from '../../domain/projects/dsn.ts';
import type { ProjectContext } from '../project-context.ts';
import { setUpAgain } from '../state/project-state.ts';
import type { RemoteKey } from '../tracker-reader.ts';
import { keyName } from './target-project.ts';

/** Imports all keys of the project, inactive ones as inactive. A key of another project here is refused and listed. */
export async function importKeys(context: ProjectContext): Promise<void> {
  const { from, signal, slug, state } = context;
  await context.read('keys', 'keys', async () => {
    let count = 0;
    for await (const key of from.reader.keys(slug, signal)) count += Number(await importKey(context, key));
    state.keys = count;
  });
}

async function importKey(context: ProjectContext, key: RemoteKey): Promise<boolean> {
  const { deps, projectId, state } = context;
  const { publicKey, label, active, rateLimit } = key;
  const name = keyName(label, publicKey);
  if (!PUBLIC_KEY_PATTERN.test(publicKey)) {
    context.leaveOut(`key "${name}"`, 'it has characters that no DSN can have', 'mend');
    return false;
  }
  if (rateLimit !== null) {
    setUpAgain(state, [`limit of key "${name}": ${rateLimit.count} events in ${rateLimit.window} s`]);
  }
  const holder = await deps.store.keyByPublicKey(publicKey);
  if (holder !== null) return isOurs(context, name, holder.projectId);
  try {
    if (!active) await rememberInactive(context, publicKey);
    await deps.store.createKey(projectId, publicKey);
    return true;
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    return await isOurs(context, name, (await deps.store.keyByPublicKey(publicKey))?.projectId ?? 0);
  } finally {
    await switchOffInactive(context);
  }
}

async function isOurs(context: ProjectContext, name: string, holderId: number): Promise<boolean> {
  if (holderId === context.projectId) return true;
  const holder = await context.deps.store.projectById(holderId);
  const reason = `it belongs to ${holder?.path ?? 'another project'} here, which keeps it; its applications need a new DSN`;
  context.leaveOut(`key "${name}"`, reason, 'mend');
  return false;
}

/** Notes a key before it is created, so that a killed import does not leave it active. */
async function rememberInactive(context: ProjectContext, publicKey: string): Promise<void> {
  context.state.inactiveKey = publicKey;
  await context.stepDone();
}

/** Switches off the noted key, which may be left from an import that was killed. */
export async function switchOffInactive(context: ProjectContext): Promise<void> {
  const { deps, projectId, state } = context;
  if (state.inactiveKey === null) return;
  const key = await deps.store.keyByPublicKey(state.inactiveKey);
  if (key?.projectId === projectId) await deps.store.setKeyActive(projectId, key.id, false);
  state.inactiveKey = null;
  await context.stepDone();
}
