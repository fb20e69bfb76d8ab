import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface HostRequest {
  readonly method: string;
  /** As it was sent, encoded. */
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface HostAnswer {
  readonly status: number;
  /** JSON, unless it is a text. Null: no answer comes. */
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const answer = (status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HostAnswer => ({
  status,
  body,
  headers,
});

/** Host with one project, which keeps what it was asked and the issues it made. */
export interface FakeIssueHost {
  readonly url: string;
  readonly requests: HostRequest[];
  readonly issues: { readonly title: string; readonly description: string }[];
  /** Answers the next requests instead of the host; null: the host answers. */
  instead: ((request: HostRequest) => HostAnswer | null) | null;
  close(): void;
}

/** Starts a server on this machine that answers as `host` does. */
export async function startHost(
  host: (request: HostRequest, issues: FakeIssueHost['issues'], url: string) => HostAnswer,
): Promise<FakeIssueHost> {
  // Closes no idle connection: a client on a busy machine may be about to use it.
  const server = createServer({ keepAliveTimeout: 0 }, (req, res) => {
    const chunks: Buffer[] = [];
    req.on('data', (chunk: Buffer) => chunks.push(chunk));
    req.on('end', () => {
      const request = {
        ...{ method: req.method ?? '', path: req.url ?? '', headers: req.headers },
        body: Buffer.concat(chunks).toString('utf8'),
      };
      fake.requests.push(request);
      const { status, body, headers } = fake.instead?.(request) ?? host(request, fake.issues, fake.url);
      if (body === null) return;
      const isText = typeof body === 'string';
      res.writeHead(status, { 'Content-Type': isText ? 'text/html' : 'application/json', ...headers });
      res.end(isText ? body : JSON.stringify(body));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const fake: FakeIssueHost = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests: [],
    issues: [],
    instead: null,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
  return fake;
}

/** Reads a JSON body; null where the type or the text is not JSON, or it is no object. */
export function jsonOf({ headers, body }: HostRequest): Readonly<Record<string, unknown>> | null {
  if (!/^application\/json\b/.test(headers['content-type'] ?? '')) return null;
  try {
    const value: unknown = JSON.parse(body);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
