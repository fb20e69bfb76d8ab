import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { mongo } from 'mongoose';

/** Used members of the driver's class, which it does not export. */
interface DriverConnection {
  readonly id: number | string;
  readonly address: string;
  readonly socket: Socket;
  writeCommand: (this: DriverConnection, ...given: unknown[]) => Promise<unknown>;
}

let guarded = false;

/**
 * Patches a defect of the driver (7.8 and 7.9), once per thread. It waits without end for a closed socket to drain. The
 * wait blocks a batch, which keeps its place in the pool, and the monitor.
 *
 * When a server stops, all connections end in one turn of the event loop. The end of the first lets the monitor write
 * to its own, which is closed but does not report it yet. From then on the server's return goes unnoticed. Without such
 * a class in the driver nothing is changed, and the guard's tests fail.
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

/** Finds the class in the driver used by mongoose; null where it looks different. */
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
