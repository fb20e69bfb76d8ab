import { createMcpHandler, fromJsonSchema, McpServer } from './mcp-server.ts';
import { AppError } from '../../domain/app-error.ts';
import type { Reply } from '../http/route.ts';
import type { AgentCall, AgentTool } from './agent-tool.ts';
import { AgentAnswer, UNTRUSTED_NOTE } from './texts/agent-answer.ts';
import { eventLine } from './texts/event-line.ts';
import { AGENT_TOOLS } from './tools/agent-tools.ts';

const INSTRUCTIONS =
  `errgate tracks errors of applications. ${UNTRUSTED_NOTE} It always stands in a fence, or beside "trust":"untrusted". ` +
  'Begin with list_errors, then get_error. Every cut in an answer names the call that shows the rest.';

/** Cut and marks, which the structured part of every answer has. */
const EVERY_ANSWER = {
  suspicious: { type: 'array', items: { type: 'string' } },
  cuts: { type: 'array', items: { type: 'object' } },
} as const;

const SCHEMAS = AGENT_TOOLS.map((tool) => {
  const properties = { ...tool.output, ...EVERY_ANSWER };
  return {
    tool,
    inputSchema: fromJsonSchema({ ...tool.input, required: [...tool.input.required] }),
    outputSchema: fromJsonSchema({ type: 'object', properties, required: Object.keys(properties) }),
  };
});

/** Characters of a refusal's message. */
const MAX_MESSAGE = 500;

/** True for a message that has an argument in it. Shorter ones say nothing. */
function repeats(message: string, given: unknown): boolean {
  const texts = Object.values(given ?? {}).filter((value) => typeof value === 'string' && value.length > 3);
  return texts.some((text) => message.includes(text as string));
}

/**
 * Returns the text of a refusal. It stands in a fence where it may have text of events: what an external tracker says,
 * the name of a tag that a search may mean, and arguments, which an agent may have copied from an event.
 */
function refusalText(error: unknown, given: unknown): string {
  if (!(error instanceof AppError)) return 'internal: errgate failed. Its log has the reason.';
  const { code, message, details } = error;
  const isOfTracker = details !== undefined && 'webMessage' in details;
  const isOfEvent = code === 'invalid_search' || repeats(message, given);
  if (!isOfTracker && !isOfEvent) return `${code}: ${eventLine(message, MAX_MESSAGE)}`;
  const answer = new AgentAnswer('');
  answer.fact(`${code}: ${isOfTracker ? 'the external tracker did not answer as it should' : 'the call was refused'}.`);
  answer.event('', message, MAX_MESSAGE);
  return answer.finish({}).text;
}

async function answerOf(call: AgentCall, tool: AgentTool, given: unknown) {
  const { metrics, logger } = call.deps;
  try {
    const { text, structured, suspicious } = await tool.run(call, given);
    metrics.agentCalls.inc({ tool: tool.name, outcome: 'ok' });
    for (const mark of new Set(suspicious.map((one) => one.split(' in ')[0] ?? '')))
      metrics.agentSuspicious.inc({ mark });
    return { content: [{ type: 'text' as const, text }], structuredContent: { ...structured } };
  } catch (error) {
    metrics.agentCalls.inc({ tool: tool.name, outcome: error instanceof AppError ? 'refused' : 'failed' });
    if (!(error instanceof AppError)) logger.error({ tool: tool.name, err: error }, 'a tool of agents failed');
    return { isError: true, content: [{ type: 'text' as const, text: refusalText(error, given) }] };
  }
}

function serverFor(call: AgentCall): McpServer {
  const server = new McpServer({ name: 'errgate', version: call.deps.version }, { instructions: INSTRUCTIONS });
  for (const { tool, inputSchema, outputSchema } of SCHEMAS) {
    const { name, title, description, writes = false } = tool;
    const annotations = {
      readOnlyHint: !writes,
      destructiveHint: false,
      idempotentHint: !writes,
      openWorldHint: false,
    };
    server.registerTool(name, { title, description, inputSchema, outputSchema, annotations }, (given: unknown) =>
      answerOf(call, tool, given),
    );
  }
  return server;
}

/** Returns the headers of a request that the protocol reads; both forms of an answer are accepted. */
function headersOf({ request }: AgentCall): Headers {
  const headers = new Headers({ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' });
  for (const [name, value] of Object.entries(request.headers)) {
    if (name.startsWith('mcp-') && typeof value === 'string') headers.set(name, value);
  }
  return headers;
}

/** Answers one message of the Model Context Protocol, of any revision, without a session. */
export async function mcpAnswer(call: AgentCall): Promise<Reply> {
  const { deps, rawParameters: body } = call;
  const handler = createMcpHandler(() => serverFor(call), {
    maxSubscriptions: 0,
    onerror: (error) => deps.logger.debug({ err: error }, 'a message of an agent was refused'),
  });
  const request = new Request(call.url, {
    method: 'POST',
    headers: headersOf(call),
    body: JSON.stringify(body),
    signal: call.signal,
  });
  const response = await handler.fetch(request, { parsedBody: body });
  const text = await response.text();
  await handler.close();
  return {
    status: response.status,
    body: text === '' ? null : text,
    contentType: response.headers.get('Content-Type') ?? 'application/json',
  };
}
