import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What people would see and hear of a message. */
export interface Shown {
  /** Addresses that can be clicked. */
  readonly links: readonly string[];
  /** Mentions that ring somebody. */
  readonly mentions: readonly string[];
  /** Text as it is shown. */
  readonly text: string;
}

/** A service as its documentation describes it: what it refuses, and what it shows of what it takes. */
export interface FakeReceiver {
  answer(received: Received): Reply;
  show(body: string): Shown;
}

/** Server on this machine that answers like a service and keeps what it took. */
export async function startReceiver(answer: (received: Received) => Reply) {
  const received: Received[] = [];
  // Closes no idle connection: a client on a busy machine may be about to use it.
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const one = { path: req.url ?? '', headers: req.headers, body: Buffer.concat(chunks).toString('utf8') };
      received.push(one);
      const { status, body, headers } = answer(one);
      res.writeHead(status, headers).end(body);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close(): void {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Signals that a service refuses a body. */
export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Json = Record<string, unknown>;

export function asObject(value: unknown, why: string, status = 400): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new Refused(status, why);
  return value as Json;
}

export function asList(value: unknown, why: string, status = 400): unknown[] {
  if (!Array.isArray(value)) throw new Refused(status, why);
  return value;
}

export function asText(value: unknown, max: number, why: string, status = 400): string {
  if (typeof value !== 'string' || value === '' || value.length > max) throw new Refused(status, why);
  return value;
}

/** Refuses members that the service does not know. */
export function onlyMembers(object: Json, known: readonly string[], why: string, status = 400): void {
  const unknown = Object.keys(object).find((name) => !known.includes(name));
  if (unknown !== undefined) throw new Refused(status, `${why}: ${unknown}`);
}

/** Answers a request with what `check` returns, or as it refuses. */
export function checked(check: () => Reply): Reply {
  try {
    return check();
  } catch (error) {
    if (error instanceof Refused) return { status: error.status, body: error.message };
    throw error;
  }
}

/** Reads Markdown as chats do: code spans are shown as they are; the rest has links, addresses and mentions. */
export function showMarkdown(markdown: string): Shown {
  const codes: string[] = [];
  const rest = markdown.replace(/`([^`\n]*)`/g, (_, code: string) => {
    codes.push(code);
    return '';
  });
  const links: string[] = [];
  const bare = rest.replace(/\[([^\]]*)\]\(([^)\s]*)\)/g, (_, label: string, url: string) => {
    links.push(url);
    return label;
  });
  links.push(...(bare.match(/\b(?:https?:\/\/|www\.|mailto:)\S+/gi) ?? []));
  // Mattermost looks for mentions after dots, colons and dashes too.
  const mentions = `${bare}\n${codes.join('\n')}`.match(/(?<![\p{L}\p{N}_])@[\w.-]+/gu) ?? [];
  return { links, mentions, text: markdown.replace(/\\([\\`*_~|<>[\]()#])/g, '$1') };
}
