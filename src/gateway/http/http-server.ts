import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '../../domain/app-error.ts';
import { refuseUnreadable, unreadableAnswer } from './unreadable-request.ts';

/** Maximum milliseconds for the headers of a request; bodies have separate limits. */
const HEADERS_MS = 20_000;
/** Maximum milliseconds for a whole request, as a last resort: above the largest configurable body timeout. */
const REQUEST_MS = 660_000;

/** Open connections of each server that `listen` made. */
const OPEN_SOCKETS = new WeakMap<Server, Set<Socket>>();

interface ListenOptions {
  /** Is called when a connection could not be accepted. */
  readonly onAcceptError?: (error: Error) => void;
  /** Milliseconds after which idle connections are closed. Default: that of Node.js, 5 s. */
  readonly keepAliveTimeoutMs?: number;
}

/** Listens; returns the port in use. Throws `invalid_configuration` when the address is not available. */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  { onAcceptError = () => undefined, keepAliveTimeoutMs }: ListenOptions = {},
): Promise<{ server: Server; port: number }> {
  const server = createServer(
    {
      ...(keepAliveTimeoutMs === undefined ? {} : { keepAliveTimeout: keepAliveTimeoutMs }),
      headersTimeout: HEADERS_MS,
      requestTimeout: REQUEST_MS,
      // Node would refuse a request without `Host` without a body.
      requireHostHeader: false,
    },
    (request, response) => {
      const reason = fault(request);
      if (reason === null) listener(request, response);
      else refuse(response, 400, reason);
    },
  );
  const open = new Set<Socket>();
  OPEN_SOCKETS.set(server, open);
  server.on('connection', (socket: Socket) => {
    open.add(socket);
    socket.once('close', () => open.delete(socket));
  });
  server.on('clientError', refuseUnreadable);
  server.on('checkExpectation', (_request, response: ServerResponse) => {
    refuse(response, 417, 'only the expectation 100-continue is supported');
  });
  await new Promise<void>((resolve, reject) => {
    const onError = (cause: NodeJS.ErrnoException): void => {
      const why = cause.code === 'EADDRINUSE' ? 'another program already listens there' : cause.message;
      const message = `cannot listen on ${host} port ${port}: ${why}; choose another with ERRGATE_HOST and ERRGATE_PORT`;
      reject(new AppError('invalid_configuration', message, { cause }));
    };
    server.once('error', onError);
    server.listen(port, host, () => {
      server.off('error', onError);
      resolve();
    });
  });
  // A connection could not be accepted because no file descriptor was free. Open connections continue.
  server.on('error', onAcceptError);
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}

/** Reason to refuse a request before any route; null: none. RFC 9112, 3.2 wants one `Host` header in HTTP/1.1. */
function fault({ httpVersion, rawHeaders }: IncomingMessage): string | null {
  if (httpVersion === '0.9') return 'HTTP/0.9 is not supported';
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts > 1) return 'more than one Host header';
  return hosts === 0 && httpVersion === '1.1' ? 'no Host header' : null;
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  const { headers, body } = unreadableAnswer(status, reason);
  response.writeHead(status, headers);
  response.end(body);
}

/**
 * Closes connections over which no byte came. Node.js takes them for busy, because their headers may be on the way;
 * browsers open such connections in advance.
 */
function closeUnused(server: Server): void {
  for (const socket of OPEN_SOCKETS.get(server) ?? []) {
    if (socket.bytesRead === 0) socket.destroy();
  }
}

/** Stops listening. Lets running requests finish for at most `limitMs` milliseconds, then closes their connections. */
export async function closeServer(server: Server, limitMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), limitMs);
  // Without this header, a client that sends request after request would keep its connection open up to the limit.
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
    closeUnused(server);
  });
  clearTimeout(timer);
}
