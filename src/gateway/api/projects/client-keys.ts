import { AppError } from '../../../domain/app-error.ts';
import { buildDsn, generatePublicKey } from '../../../domain/projects/dsn.ts';
import type { ClientKey } from '../../../domain/projects/tracking-settings.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableTime, underHostName, problems } from '../../http/common-schema.ts';
import { withHostNames } from '../../http/host-names.ts';
import { offsetPage } from '../../http/page-links.ts';
import { idOf } from '../../http/path-ids.ts';
import { presenter } from '../../http/presenter.ts';
import type { ProjectRouteDeps } from '../../http/route-deps.ts';
import { projectRoute, type Route } from '../../http/route.ts';
import { clientKeyTarget } from './audit-targets.ts';

const clientKeySchema = {
  title: 'ClientKey',
  type: 'object',
  properties: {
    id: { type: 'integer' },
    active: { type: 'boolean' },
    public_key: { type: 'string' },
    thirdparty_dsn: { type: 'string' },
    sentry_dsn: underHostName({ type: 'string' }),
    last_used_at: {
      ...nullableTime,
      description:
        'Only if requested with `usage`: time of the last accepted request, up to ten seconds late; null: never used',
    },
  },
  required: ['id', 'active', 'public_key', 'thirdparty_dsn'],
  additionalProperties: false,
} as const;

const clientKeysSchema = { type: 'array', items: clientKeySchema } as const;

const updateClientKeySchema = {
  type: 'object',
  properties: { active: { type: 'boolean', description: 'Whether requests with this key are accepted' } },
  required: ['active'],
  additionalProperties: false,
} as const satisfies ParametersSchema;

const listClientKeysSchema = {
  type: 'object',
  properties: { usage: { type: 'boolean', description: 'Whether to include when each key was last used' } },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const PATH = '/api/v4/projects/:id/error_tracking/client_keys';

const presentKey = presenter(clientKeySchema);

/** `usage`: with the time of its last use, for users who manage keys. */
function present(key: ClientKey, { externalUrl, fieldNames }: ProjectRouteDeps, usage = false) {
  const thirdpartyDsn = buildDsn(externalUrl(), key.publicKey, key.projectId);
  const lastUsedAt = usage ? key.lastUsedAt : undefined;
  return withHostNames(presentKey({ ...key, thirdpartyDsn, lastUsedAt }), fieldNames);
}

export const clientKeyRoutes: readonly Route[] = [
  projectRoute({
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
      return { status: 200, headers, body: items.map((key) => present(key, call.deps, call.params.usage)) };
    },
  }),
  projectRoute({
    method: 'POST',
    path: PATH,
    operationId: 'createClientKey',
    summary: 'Create a client key with a generated public key',
    action: 'manage_keys',
    audit: { event: 'client_key_created', target: clientKeyTarget },
    responses: { 201: { description: 'The new key', schema: clientKeySchema }, ...problems },
    async handle({ deps, project }) {
      const key = await deps.store.createKey(project.id, generatePublicKey());
      return { status: 201, body: present(key, deps) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: `${PATH}/:key_id`,
    operationId: 'updateClientKey',
    summary: 'Disable or enable a client key; requests of SDKs with a disabled key are refused',
    action: 'manage_keys',
    audit: { event: 'client_key_changed', target: clientKeyTarget },
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
    method: 'DELETE',
    path: `${PATH}/:key_id`,
    operationId: 'deleteClientKey',
    summary: 'Remove a client key; requests of SDKs that still use it are refused',
    action: 'manage_keys',
    audit: { event: 'client_key_deleted', target: clientKeyTarget },
    responses: { 200: { description: 'The removed key', schema: clientKeySchema }, ...problems },
    async handle({ deps, project, path }) {
      const id = idOf(path.key_id);
      const key = id === null ? null : await deps.store.deleteKey(project.id, id);
      if (key === null) throw new AppError('not_found', 'the project has no such client key');
      return { status: 200, body: present(key, deps) };
    },
  }),
];
