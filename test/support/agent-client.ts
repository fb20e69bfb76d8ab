import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { RunningApp } from './app.ts';

/** Answer of a tool, as an agent gets it. */
export interface ToolAnswer {
  readonly text: string;
  readonly isError: boolean;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly structured: any;
}

export interface AgentClient {
  readonly client: Client;
  call(name: string, args?: Readonly<Record<string, unknown>>): Promise<ToolAnswer>;
  close(): Promise<void>;
}

/** `legacy`: revisions with `initialize`. `modern`: revisions without it. */
export type Era = 'legacy' | 'modern';

/** Connects the official client, with the token as agents send it. */
export async function connectAgent(app: RunningApp, token: string, era: Era = 'modern'): Promise<AgentClient> {
  const mode = era === 'legacy' ? ('legacy' as const) : ('auto' as const);
  const client = new Client({ name: 'test-agent', version: '1.0.0' }, { versionNegotiation: { mode } });
  const transport = new StreamableHTTPClientTransport(new URL(`${app.url}/-/mcp`), {
    requestInit: { headers: { Authorization: `Bearer ${token}` } },
  });
  await client.connect(transport);
  return {
    client,
    async call(name, args = {}) {
      const { content, isError, structuredContent } = await client.callTool({ name, arguments: { ...args } });
      const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      return { text: texts.join('\n'), isError: isError === true, structured: structuredContent };
    },
    close: () => client.close(),
  };
}
