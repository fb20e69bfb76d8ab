import mongoose, { type Connection } from 'mongoose';
import { guardClosedSockets } from './closed-socket-guard.ts';
import { toOpeningError } from './mongo-errors.ts';

/** Database for an address without one. */
const DEFAULT_DATABASE = 'errgate';

/** Default bounds, which the address may override; no operation may wait without end. */
const BOUNDS = {
  /** Maximum connections of this process. */
  maxPoolSize: 10,
  /** Milliseconds to find a server for an operation. */
  serverSelectionTimeoutMS: 3000,
  /** Milliseconds to set up one connection. */
  connectTimeoutMS: 3000,
  /** Milliseconds without data on a busy connection; above the server's own limit for a majority write. */
  socketTimeoutMS: 30_000,
  /** Milliseconds to wait for a free connection of the pool. */
  waitQueueTimeoutMS: 5000,
  /** Milliseconds between two checks of a server, by which a new primary or a restart is noticed. */
  heartbeatFrequencyMS: 2000,
  appName: 'errgate',
} as const;

/**
 * Connects to a database. Passes the address unchanged to the driver (TLS, SRV, replica set). Write concern and read
 * preference are set per operation. The driver retries writes only where the server supports it. Throws
 * `invalid_configuration` or `store_unavailable`.
 */
export async function connect(url: string, hosts: string): Promise<Connection> {
  guardClosedSockets();
  // Separate connection, not mongoose's global one: a process may have several stores open.
  const connection = mongoose.createConnection();
  // Ignores errors of an open connection, which would end the process without a listener: operations report them.
  connection.on('error', () => undefined);
  try {
    return await connection.openUri(url, {
      ...boundsFor(url),
      ...(namesDatabase(url) ? {} : { dbName: DEFAULT_DATABASE }),
      autoIndex: false,
      autoCreate: false,
      bufferCommands: false,
    });
  } catch (error) {
    await connection.close(true).catch(() => undefined);
    throw toOpeningError(error, hosts);
  }
}

function boundsFor(url: string): Partial<typeof BOUNDS> {
  const [, options = ''] = url.split('?', 2);
  const given = new Set([...new URLSearchParams(options).keys()].map((name) => name.toLowerCase()));
  return Object.fromEntries(Object.entries(BOUNDS).filter(([name]) => !given.has(name.toLowerCase())));
}

/** Returns true when a path follows the hosts; user and password cannot contain an unencoded slash. */
function namesDatabase(url: string): boolean {
  return /^[^/]*\/\/[^/?]*\/[^?]/.test(url);
}
