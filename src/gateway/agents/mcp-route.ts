import { AppError } from '../../domain/app-error.ts';
import type { Allowance } from '../../lib/token-bucket.ts';
import { problemSchema } from '../http/common-schema.ts';
import type { AnyCall, Reply, Route } from '../http/route.ts';
import { assertFromHere } from './browser-check.ts';

/** Messages of one token: a minute's worth at once, then one a second. */
export const MESSAGES_OF_TOKEN: Allowance = { perMinute: 60, burst: 60 };

/** Throws `rate_limited` for a token that has sent too many messages. */
function assertWithinLimit({ agentLimits }: AnyCall['deps'], tokenId: number): void {
  const name = String(tokenId);
  const waitMs = agentLimits.waitMs(name);
  if (waitMs > 0) {
    throw new AppError(
      'rate_limited',
      `A token may send ${MESSAGES_OF_TOKEN.perMinute} messages a minute. Wait a moment.`,
      {
        retryAfterSeconds: Math.ceil(waitMs / 1000),
      },
    );
  }
  agentLimits.add(name, 1);
}

async function handle(call: AnyCall): Promise<Reply> {
  const { principal, deps } = call;
  const token = principal?.token ?? null;
  if (principal === null || token === null) throw new TypeError('mcp was called without a token');
  assertFromHere(call.header, deps.externalUrl());
  assertWithinLimit(deps, token.id);
  // Loaded by the first message: most installations have no agents, and the package takes a while to load.
  const { mcpAnswer } = await import('./mcp-answer.ts');
  return mcpAnswer({ ...call, principal: { ...principal, token } });
}

export const mcpRoutes: readonly Route[] = [
  {
    method: 'POST',
    path: '/-/mcp',
    operationId: 'mcp',
    summary: 'Take one message of the Model Context Protocol, by which agents read errors and set their status',
    surface: 'agents',
    action: 'use_agent_tools',
    audit: { byHandler: ['error_changed_by_agent'] },
    jsonOnly: true,
    body: {
      title: 'McpMessage',
      type: 'object',
      description: 'JSON-RPC 2.0, of any revision of the protocol from 2024-11-05 on; no batches',
      properties: { jsonrpc: { const: '2.0' }, id: { type: ['string', 'integer'] }, method: { type: 'string' } },
      required: ['jsonrpc'],
    },
    responses: {
      200: { description: 'The answer, JSON-RPC 2.0' },
      202: { description: 'A notification was taken' },
      400: { description: 'The message is none of the protocol' },
      401: { description: 'No valid access token in the header Authorization', schema: problemSchema },
      403: {
        description: 'The scope of the token is not enough, or another site sent the request',
        schema: problemSchema,
      },
      429: { description: 'The token has sent too many messages; Retry-After has the seconds', schema: problemSchema },
    },
    handle,
  },
];
