import type { IncomingMessage } from 'node:http';
import type { FromSchema } from 'json-schema-to-ts';
import { AppError, type ErrorCode } from '../../../domain/app-error.ts';
import type { HookResult } from '../../../domain/ports/issue-hooks.ts';
import type { IssueHook } from '../../../domain/projects/issue-hook.ts';
import { boundedParts } from '../../../lib/parts.ts';
import type { ParametersSchema } from '../../../schemas/parameters.ts';
import { nullableTime, problems, problemSchema } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';
import { presenter } from '../../http/presenter.ts';
import { projectByReference } from '../../http/project-lookup.ts';
import { projectRoute, publicRoute, type Call, type ProjectCall, type Route } from '../../http/route.ts';
import { issueHookTarget } from './audit-targets.ts';

const PATH = '/api/v4/projects/:id/error_tracking/hooks/gitlab';

/** Bytes of the body of a webhook: GitLab sends the description of the issue along, of up to 1 MiB characters. */
const MAX_HOOK_BYTES = 2 * 1024 * 1024;

const hookProperties = {
  enabled: { type: 'boolean', description: 'Whether errors follow their linked issues' },
  url: { type: 'string', description: 'Address to enter in GitLab' },
  created_at: { ...nullableTime, description: 'Time at which the secret was made or entered' },
} as const;

const issueHookSchema = objectSchema({ title: 'IssueHook', properties: hookProperties });

const newIssueHookSchema = objectSchema({
  title: 'NewIssueHook',
  properties: {
    ...hookProperties,
    secret: { type: 'string', description: 'Secret to enter in GitLab. It is not shown again' },
  },
});

const turnOnSchema = {
  type: 'object',
  properties: {
    secret: {
      type: 'string',
      maxLength: 200,
      'x-secret': true,
      description: 'Signing token that GitLab made (whsec_…); absent: a secret is made here',
    },
  },
  additionalProperties: false,
} as const satisfies ParametersSchema;

const hookResultSchema = objectSchema({
  title: 'IssueHookResult',
  properties: {
    changed: { type: 'integer', description: 'Number of errors whose status changed' },
    message: { type: 'string', description: 'The same as a sentence, with the reason where nothing changed' },
  },
});

const presentHook = presenter(issueHookSchema);
const presentNewHook = presenter(newIssueHookSchema);
const presentResult = presenter(hookResultSchema);

/** Names the project by its number: its path may change. */
function shown({ deps, project }: ProjectCall<unknown>, hook: IssueHook | null) {
  const url = `${deps.externalUrl()}${PATH.replace(':id', String(project.id))}`;
  return { enabled: hook !== null, url, createdAt: hook?.createdAt ?? null };
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const tooLong = () => new AppError('payload_too_large', `The request body is larger than ${MAX_HOOK_BYTES} bytes.`);
  const parts: Uint8Array[] = [];
  for await (const part of boundedParts(request as AsyncIterable<Buffer>, MAX_HOOK_BYTES, tooLong)) parts.push(part);
  return Buffer.concat(parts);
}

const OUTCOMES: Partial<Record<ErrorCode, string>> = {
  invalid_credentials: 'refused',
  conflict: 'repeated',
  bad_request: 'invalid',
  payload_too_large: 'invalid',
};

/** Counts a request of the host by its outcome. */
async function countingOutcomes({ deps }: Call<unknown>, work: () => Promise<HookResult>): Promise<HookResult> {
  try {
    const result = await work();
    deps.metrics.issueHooks.inc({ outcome: result.changed > 0 ? 'changed' : 'unchanged' });
    return result;
  } catch (error) {
    const outcome = error instanceof AppError ? OUTCOMES[error.code] : undefined;
    deps.metrics.issueHooks.inc({ outcome: outcome ?? 'failed' });
    throw error;
  }
}

/** Webhook by which GitLab says that a linked issue was closed or reopened, and its settings. */
export const issueHookRoutes: readonly Route[] = [
  projectRoute({
    method: 'GET',
    path: PATH,
    operationId: 'getIssueHook',
    summary: 'Read whether errors follow their linked GitLab issues; the secret of the webhook is never shown',
    action: 'read_links',
    responses: { 200: { description: 'The webhook', schema: issueHookSchema }, ...problems },
    async handle(call) {
      return { status: 200, body: presentHook(shown(call, await call.deps.issueHooks.hook(call.project.id))) };
    },
  }),
  projectRoute({
    method: 'PUT',
    path: PATH,
    operationId: 'putIssueHook',
    summary: 'Let errors follow their linked GitLab issues, or replace the secret of the webhook, which ends at once',
    action: 'update_links',
    audit: { event: 'issue_hook_changed', target: issueHookTarget },
    parameters: turnOnSchema,
    jsonOnly: true,
    responses: { 200: { description: 'The webhook with its secret', schema: newIssueHookSchema }, ...problems },
    async handle(call: ProjectCall<FromSchema<typeof turnOnSchema>>) {
      const { deps, project, params } = call;
      const secret = await deps.issueHooks.turnOn(project.id, params.secret ?? null);
      const hook = shown(call, await deps.issueHooks.hook(project.id));
      const headers = { 'Cache-Control': 'no-store' };
      return { status: 200, headers, body: presentNewHook({ ...hook, secret }) };
    },
  }),
  projectRoute({
    method: 'DELETE',
    path: PATH,
    operationId: 'removeIssueHook',
    summary: 'Let errors no longer follow their linked GitLab issues; requests of the webhook are refused from now on',
    action: 'update_links',
    audit: { event: 'issue_hook_changed', target: issueHookTarget },
    responses: { 204: { description: 'The webhook is off' }, ...problems },
    async handle({ deps, project }) {
      await deps.issueHooks.turnOff(project.id);
      return { status: 204, body: null };
    },
  }),
  publicRoute({
    method: 'POST',
    path: PATH,
    operationId: 'receiveIssueEvent',
    summary:
      'Take an event of issues from GitLab, signed (webhook-signature) or with the secret in X-Gitlab-Token. An issue that was closed resolves the errors it is linked to, one that was reopened reopens them',
    audit: { not: 'the activity of each error has it, with the issue and the time' },
    ownBody: true,
    responses: {
      200: { description: 'The event was taken', schema: hookResultSchema },
      400: { description: 'The body is no event of issues', schema: problemSchema },
      401: {
        description: 'The signature or the secret is wrong, the request too old, or the project has no webhook',
        schema: problemSchema,
      },
      409: { description: 'The request, or a newer change of the issue, was taken before', schema: problemSchema },
      413: { description: 'The body is larger than 2 MiB', schema: problemSchema },
      503: { description: 'The store is unavailable: send it again', schema: problemSchema },
    },
    async handle(call) {
      const { deps, path, header, request } = call;
      const found = await projectByReference(deps.store, path.id ?? '');
      const body = () => readBody(request);
      const receive = () => deps.issueHooks.receive(found?.project ?? null, { header, body });
      return { status: 200, body: presentResult(await countingOutcomes(call, receive)) };
    },
  }),
];
