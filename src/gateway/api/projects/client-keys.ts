import { AppError } from '../../../domain/app-error.ts';
import { generatePublicKey } from '../../../domain/dsn.ts';
import {
  clientKeySchema,
  clientKeysSchema,
  listClientKeysSchema,
  updateClientKeySchema,
  type ListClientKeys,
  type UpdateClientKey,
} from './client-key-schema.ts';
import { problems } from '../../http/common-schema.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import type { ClientKey } from '../../../domain/tracking-settings.ts';
import type { ProjectRouteDeps } from '../../http/route-deps.ts';
import { presentClientKey, presentClientKeyUse } from './client-key-presenter.ts';
import { withHostNames } from '../../http/host-names.ts';
import { projectRoute, type Route } from '../../http/route.ts';

const PATH = '/api/v4/projects/:id/error_tracking/client_keys';

function present(key: ClientKey, { externalUrl, fieldNames }: ProjectRouteDeps) {
  return withHostNames(presentClientKey(key, externalUrl()), fieldNames);
}

export const clientKeyRoutes: readonly Route[] = [
  projectRoute<ListClientKeys>({
    surface: 'api',
    method: 'GET',
    path: PATH,
    operationId: 'listClientKeys',
    summary: 'List the client keys, including inactive ones, paged by page and per_page',
    action: 'read_keys',
    parameters: listClientKeysSchema,
    pagedByOffset: true,
    responses: { 200: { description: 'One page of keys, by id', schema: clientKeysSchema }, ...problems },
    async handle(call) {
      const { items, headers } = offsetPage(call, await call.deps.store.listKeys(call.project.id));
      const { usage = false } = call.params;
      const body = items.map((key) => ({
        ...present(key, call.deps),
        ...(usage ? presentClientKeyUse(key) : {}),
      }));
      return { status: 200, headers, body };
    },
  }),
  projectRoute({
    surface: 'api',
    method: 'POST',
    path: PATH,
    operationId: 'createClientKey',
    summary: 'Create a client key with a generated public key',
    action: 'manage_keys',
    responses: { 201: { description: 'The new key', schema: clientKeySchema }, ...problems },
    async handle({ deps, project }) {
      const key = await deps.store.createKey(project.id, generatePublicKey());
      return { status: 201, body: present(key, deps) };
    },
  }),
  projectRoute<UpdateClientKey>({
    surface: 'api',
    method: 'PUT',
    path: `${PATH}/:key_id`,
    operationId: 'updateClientKey',
    summary: 'Disable or enable a client key; requests of SDKs with a disabled key are refused',
    action: 'manage_keys',
    parameters: updateClientKeySchema,
    responses: { 200: { description: 'The updated key', schema: clientKeySchema }, ...problems },
    async handle({ deps, project, path, params }) {
      const id = idOf(path.key_id);
      const key = id === null ? null : await deps.store.setKeyActive(project.id, id, params.active);
      if (key === null) throw new AppError('not_found', 'the project has no such client key');
      return { status: 200, body: present(key, deps) };
    },
  }),
  projectRoute({
    surface: 'api',
    method: 'DELETE',
    path: `${PATH}/:key_id`,
    operationId: 'deleteClientKey',
    summary: 'Remove a client key; requests of SDKs that still use it are refused',
    action: 'manage_keys',
    responses: { 200: { description: 'The removed key', schema: clientKeySchema }, ...problems },
    async handle({ deps, project, path }) {
      const id = idOf(path.key_id);
      const key = id === null ? null : await deps.store.deleteKey(project.id, id);
      if (key === null) throw new AppError('not_found', 'the project has no such client key');
      return { status: 200, body: present(key, deps) };
    },
  }),
];
