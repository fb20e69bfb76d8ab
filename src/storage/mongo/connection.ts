import mongoose, { type Connection } from 'mongoose';
import { guardClosedSockets } from './closed-socket-guard.ts';
import { toOpeningError } from './mongo-errors.ts';

/** The database that is used when the address names none. */
const DEFAULT_DATABASE = 'errgate';

/** Bounds that hold where the address does not set its own; nothing may wait for ever. */
const BOUNDS = {
  /** Connections of this process at most. */
  maxPoolSize: 10,
  /** Milliseconds to find a server that can take an operation. */
  serverSelectionTimeoutMS: 3000,
  /** Milliseconds to set up one connection. */
  connectTimeoutMS: 3000,
  /** Milliseconds without a byte on a busy connection; above the server's own limit for a majority write. */
  socketTimeoutMS: 30_000,
  /** Milliseconds to wait for a free connection of the pool. */
  waitQueueTimeoutMS: 5000,
  /** Milliseconds between two looks at a server: how fast a new primary or a restart is noticed. */
  heartbeatFrequencyMS: 2000,
  appName: 'errgate',
} as const;

/**
 * Connects to a database. Everything in the address goes to the driver as it is (TLS, SRV, replica set);
 * write concern and read preference are set per operation, and retried writes are used by the driver only
 * where the server knows them. Throws `invalid_configuration` or `store_unavailable`.
 */
export async function connect(url: string, hosts: string): Promise<Connection> {
  guardClosedSockets();
  // A connection of its own, not mongoose's global one: a process may have several stores open.
  const connection = mongoose.createConnection();
  // Errors of a live connection reach those who wait for an operation; without a listener they would end the process.
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

/** Whether there is a path after the hosts; user and password cannot hold a slash unencoded. */
function namesDatabase(url: string): boolean {
  return /^[^/]*\/\/[^/?]*\/[^?]/.test(url);
}
