import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

/** What is used of the driver's own class, which it does not export. */
interface DriverConnection {
  readonly id: number | string;
  readonly address: string;
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...given: unknown[]) => Promise<unknown>;
}

let guarded = false;

/**
 * Mends the driver, once per thread. It waits for a socket to drain without looking whether that socket is
 * closed. Whoever waits so waits for ever: a batch that was being written, which keeps its place in the pool,
 * and, worse, the monitor. When a server goes away all connections end in one turn of the event loop; the end
 * of the first lets the monitor write to its own, which is closed and has not said so yet, and from then on
 * nobody notices that the server is back. So it is in versions 7.8 and 7.9. Where the driver has no such class
 * nothing is changed, and the guard's tests fail.
 */
export function guardClosedSockets(): void {
  if (guarded) {
    return;
  }
  guarded = true;
  const prototype = connectionPrototype();
  if (prototype === null) {
    return;
  }
  const { writeCommand } = prototype;
  prototype.writeCommand = async function (this: DriverConnection, ...given: unknown[]): Promise<unknown> {
    const { socket } = this;
    if (socket.destroyed) {
      throw closedError(this);
    }
    let onClose = (): void => undefined;
    const closed = new Promise<never>((_, reject) => {
      onClose = () => reject(closedError(this));
    });
    socket.once('close', onClose);
    try {
      return await Promise.race([writeCommand.apply(this, given), closed]);
    } finally {
      socket.off('close', onClose);
    }
  };
}

function closedError({ id, address }: DriverConnection): Error {
  return new mongo.MongoNetworkError(`connection ${id} to ${address} closed`);
}

/** Of the copy of the driver that mongoose uses; null where it looks different. */
function connectionPrototype(): DriverConnection | null {
  try {
    const here = createRequire(import.meta.url);
    const file = createRequire(here.resolve('mongoose'))('mongodb/lib/cmap/connection.js') as {
      Connection?: { prototype?: Partial<DriverConnection> };
    };
    const prototype = file.Connection?.prototype;
    return typeof prototype?.writeCommand === 'function' ? (prototype as DriverConnection) : null;
  } catch {
    return null;
  }
}
