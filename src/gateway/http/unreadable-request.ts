import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';

/** Milliseconds to read on after the answer: closing at once would reset a sender that has not read it. */
const LINGER_MS = 1000;

/** Status and reason by the code of Node's parser; the parser's other codes are about the form of the request. */
const REASONS: Readonly<Record<string, readonly [status: number, reason: string]>> = {
  HPE_HEADER_OVERFLOW: [
    431,
    'the request line and the headers are larger than 16 KiB; shorten the address or the headers',
  ],
  HPE_CHUNK_EXTENSIONS_OVERFLOW: [413, 'the extensions of a chunk are larger than 16 KiB'],
  ERR_HTTP_REQUEST_TIMEOUT: [408, 'the request did not arrive in time; send it again'],
};

const MALFORMED = [400, 'the request is not valid HTTP'] as const;

/** Answer to a request that no route sees. */
export interface UnreadableAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/**
 * Makes the answer. Its route is unknown, so that it has what SDKs read too: pages of any origin may read it, which
 * holds for nothing but these texts.
 */
export function unreadableAnswer(status: number, reason: string): UnreadableAnswer {
  const body = JSON.stringify({ message: `${status} ${STATUS_CODES[status] ?? ''}: ${reason}` });
  return {
    status,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Length': String(Buffer.byteLength(body)),
      'X-Content-Type-Options': 'nosniff',
      'X-Sentry-Error': reason,
      'Access-Control-Allow-Origin': '*',
      'Access-Control-Expose-Headers': 'x-sentry-error',
      Connection: 'close',
    },
    body,
  };
}

function wireOf({ status, headers, body }: UnreadableAnswer): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}`, ...lines, '', body].join('\r\n');
}

/** True while an answer is on its way, which a second one would break. Node's own handler looks at the same member. */
function isAnswering(socket: Socket): boolean {
  const { _httpMessage: response } = socket as Socket & { readonly _httpMessage?: ServerResponse | null };
  return response?.headersSent === true;
}

/** Handles `clientError` of the server: answers what Node's parser refuses, and closes the connection. */
export function refuseUnreadable(error: NodeJS.ErrnoException, socket: Socket): void {
  // Data that comes after the answer is refused by the parser too.
  if (socket.writableEnded) return;
  if (error.code === 'ECONNRESET' || !socket.writable || isAnswering(socket)) {
    socket.destroy();
    return;
  }
  socket.end(wireOf(unreadableAnswer(...(REASONS[error.code ?? ''] ?? MALFORMED))));
  const timer = setTimeout(() => socket.destroy(), LINGER_MS);
  socket.once('close', () => clearTimeout(timer));
}
