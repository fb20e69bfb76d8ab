import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { AppError } from './domain/app-error.ts';

/** Longer than the 60 s that load balancers keep idle connections, so that they close first and not we. */
const KEEP_ALIVE_MS = 65_000;
/** For the headers of a request; bodies have bounds of their own. */
const HEADERS_MS = 20_000;
/** For a whole request, last resort: above the largest body timeout that can be configured. */
const REQUEST_MS = 660_000;

/** Listens; resolves with the port in use. Throws `invalid_configuration` when the address cannot be had. */
export async function listen(
  listener: RequestListener,
  host: string,
  port: number,
): Promise<{ server: Server; port: number }> {
  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, headersTimeout: HEADERS_MS, requestTimeout: REQUEST_MS },
    listener,
  );
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why = cause.code === 'EADDRINUSE' ? 'something else listens there already' : cause.message;
      const message = `cannot listen on ${host} port ${port}: ${why}; choose another with ERRGATE_HOST and ERRGATE_PORT`;
      reject(new AppError('invalid_configuration', message, { cause }));
    });
    server.listen(port, host, resolve);
  });
  const address = server.address();
  return { server, port: typeof address === 'object' && address !== null ? address.port : port };
}

/** Stops listening and lets requests in flight finish, for at most `limitMs`; then cuts them off. */
export async function closeServer(server: Server, limitMs: number): Promise<void> {
  const timer = setTimeout(() => server.closeAllConnections(), limitMs);
  // Who sends the next request on the same connection as soon as he is answered would keep it open to the limit.
  server.prependListener('request', (_request, response: ServerResponse) => response.setHeader('Connection', 'close'));
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
  clearTimeout(timer);
}
