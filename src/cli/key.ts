import type { Command } from 'commander';
import { entityOfProject, keyValues, targetOf } from '../audit/shown-values.ts';
import { AppError } from '../domain/app-error.ts';
import { buildDsn, generatePublicKey } from '../domain/projects/dsn.ts';
import type { Project } from '../domain/projects/project.ts';
import type { ClientKey } from '../domain/projects/tracking-settings.ts';
import { parseId, parsePublicKey } from './call/arguments.ts';
import { findProject } from './call/lookup.ts';
import { type Operand, reference, withOperands } from './call/operands.ts';
import { printJson, printLine, printList, printWarning } from './call/output.ts';
import { externalUrl, type Session, withStore } from './people/session.ts';

interface CreateOptions {
  readonly publicKey?: string;
  readonly json?: boolean;
}

const PROJECT = reference('id or path');
const KEY_ID: Operand<number> = { description: 'as `errgate key list` shows it', parse: parseId };

function keyPlace(project: Project, id: number | null) {
  return {
    entity: entityOfProject(project),
    target: targetOf('Client key', id, id === null ? '' : `client key ${id}`),
  };
}

/** The same members as the API's. */
function keyJson(key: ClientKey, url: string) {
  const { id, active, publicKey } = key;
  return { id, active, public_key: publicKey, thirdparty_dsn: buildDsn(url, publicKey, key.projectId) };
}

async function createKey(projectReference: string, options: CreateOptions): Promise<void> {
  await withStore(async ({ config, store, audit }) => {
    const project = await findProject(store, projectReference);
    const publicKey = options.publicKey ?? generatePublicKey();
    if ((await store.keyByPublicKey(publicKey)) !== null) {
      throw new AppError('conflict', 'this public key is already in use');
    }
    const key = await audit.change(
      { event: 'client_key_created', ...keyPlace(project, null) },
      () => store.createKey(project.id, publicKey),
      (made) => ({ ...keyPlace(project, made.id), after: keyValues(made) }),
    );
    const created = keyJson(key, await externalUrl(config));
    if (options.json === true) {
      printJson(created);
    } else {
      printWarning(`created key ${created.id} of ${project.path}; its DSN:`);
      printLine(created.thirdparty_dsn);
    }
  });
}

async function listKeys(projectReference: string, options: { json?: boolean }): Promise<void> {
  const keys = await withStore(async ({ config, store }) => {
    const project = await findProject(store, projectReference);
    const url = await externalUrl(config);
    return (await store.listKeys(project.id)).map((one) => keyJson(one, url));
  });
  printList(keys, options.json, ['id', 'active', 'DSN'], (one) => [one.id, one.active, one.thirdparty_dsn]);
}

/** Runs a change of one key. Throws `not_found` where the project has no such key. */
async function changeKey(
  projectReference: string,
  keyId: number,
  done: 'enabled' | 'disabled' | 'deleted',
  change: (session: Session, projectId: number) => Promise<ClientKey | null>,
): Promise<void> {
  await withStore(async (session) => {
    const { store, audit } = session;
    const project = await findProject(store, projectReference);
    const before = await store.keyById(project.id, keyId);
    if (before === null) {
      throw new AppError('not_found', `${project.path} has no key ${keyId}; \`errgate key list\` shows them`);
    }
    const isGone = done === 'deleted';
    const event = isGone ? 'client_key_deleted' : 'client_key_changed';
    const after = isGone ? null : keyValues({ ...before, active: done === 'enabled' });
    await audit.change({ event, ...keyPlace(project, keyId), before: keyValues(before), after }, () =>
      change(session, project.id),
    );
    printLine(`${done} key ${keyId} of ${project.path}`);
  });
}

export function addKeyCommands(program: Command): void {
  const key = program.command('key').description('client keys, which are part of the DSNs of SDKs');

  withOperands(
    key
      .command('create')
      .description('create a key and print its DSN')
      .option('--public-key <key>', 'an existing key from another tracker', parsePublicKey)
      .option('--json', 'print JSON'),
    { project: PROJECT },
    ({ project }, options: CreateOptions) => createKey(project, options),
  );

  withOperands(
    key.command('list').description('list the keys of a project').option('--json', 'print JSON'),
    { project: PROJECT },
    ({ project }, options: { json?: boolean }) => listKeys(project, options),
  );

  const switches = [
    { name: 'enable', done: 'enabled', active: true, description: 'accept events with a key again' },
    { name: 'disable', done: 'disabled', active: false, description: 'refuse events with a key' },
  ] as const;
  for (const { name, done, active, description } of switches) {
    withOperands(key.command(name).description(description), { project: PROJECT, keyId: KEY_ID }, (values) =>
      changeKey(values.project, values.keyId, done, ({ store }, projectId) =>
        store.setKeyActive(projectId, values.keyId, active),
      ),
    );
  }

  withOperands(
    key.command('delete').description('delete a key; events that use it are then refused'),
    { project: PROJECT, keyId: KEY_ID },
    (values) =>
      changeKey(values.project, values.keyId, 'deleted', ({ store }, projectId) =>
        store.deleteKey(projectId, values.keyId),
      ),
  );
}
