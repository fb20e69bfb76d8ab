import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { AppError } from '../domain/app-error.ts';

/** Milliseconds to keep idle connections. Load balancers keep them for 60 s, and must close them first. */
const KEEP_ALIVE_MS = 65_000;
/** Maximum milliseconds for the headers of a request; bodies have separate limits. */
const HEADERS_MS = 20_000;
/** Maximum milliseconds for a whole request, as a last resort: above the largest configurable body timeout. */
const REQUEST_MS = 660_000;

/** Listens; returns the port in use. Throws `invalid_configuration` when the address is not available. */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
  onAcceptError: (error: Error) => void = () => undefined,
): Promise<{ server: Server; port: number }> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    (request, response) => {
      if (request.httpVersion === '0.9') refuse(response, 'HTTP/0.9 is not supported');
      else if (hasOneHost(request)) listener(request, response);
      else refuse(response, 'more than one Host header');
    },
  );
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

/**
 * Returns false for several `Host` headers, which RFC 9112, 3.2 refuses. Node itself refuses a request of HTTP/1.1
 * without one.
 */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at];
    if (name?.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  return hosts <= 1;
}

function refuse(response: ServerResponse, reason: string): void {
  response.writeHead(400, { 'Content-Type': 'application/json', Connection: 'close' });
  response.end(JSON.stringify({ message: `400 Bad request: ${reason}` }));
}

/** Stops listening. Lets running requests finish for at most `limitMs` milliseconds, then closes their connections. */
export async function closeServer(server: Server, limitMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), limitMs);
  // Without this header, a client that sends request after request would keep its connection open up to the limit.
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
