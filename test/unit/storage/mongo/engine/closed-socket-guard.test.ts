import assert from 'node:assert/strict';
import { createRequire } from 'node:module';
import net from 'node:net';
import { mongo } from 'mongoose';
import { guardClosedSockets } from '../../../../../src/storage/mongo/engine/closed-socket-guard.ts';

interface DriverConnection {
  readonly closed: boolean;
  command(namespace: { readonly db: string }, command: object, options: object): Promise<unknown>;
}
type DriverConnectionClass = new (socket: net.Socket, options: object) => DriverConnection;

const here = createRequire(import.meta.url);
const ofMongoose = createRequire(here.resolve('mongoose'));
const { Connection } = ofMongoose('mongodb/lib/cmap/connection.js') as { Connection: DriverConnectionClass };
const { HostAddress } = ofMongoose('mongodb/lib/utils.js') as { HostAddress: new (address: string) => object };

/** More than the buffers of two sockets hold, and less than the driver takes in one command. */
const LARGE_BYTES = 15 * 1024 * 1024;

/** The driver alone waits for ever in each of these. */
describe('the guard against closed sockets, on the real driver', () => {
  let server: net.Server;
  let socket: net.Socket;
  let connection: DriverConnection;

  before(guardClosedSockets);
  beforeEach(async () => {
    server = net.createServer((client) => client.pause());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as net.AddressInfo;
    socket = net.connect(port, '127.0.0.1');
    await new Promise((resolve) => socket.once('connect', resolve));
    const hostAddress = new HostAddress(`127.0.0.1:${port}`);
    connection = new Connection(socket, { id: 1, generation: 0, hostAddress, monitorCommands: false });
  });
  afterEach(() => {
    socket.destroy();
    server.close();
  });

  const command = (document: object): Promise<unknown> =>
    connection.command({ db: 'admin' }, document, { socketTimeoutMS: 1000 });
  const isNetworkError = (error: unknown): boolean =>
    error instanceof mongo.MongoNetworkError && /closed$/.test(error.message);

  it('a command on a socket that is closed and has not said so ends', async () => {
    socket.destroy();
    assert.equal(connection.closed, false, 'the connection does not know it yet');
    await assert.rejects(command({ hello: 1 }), isNetworkError);
  });

  it('a command whose socket closes between its making and its writing ends', async () => {
    const asked = command({ hello: 1 });
    socket.destroy();
    await assert.rejects(asked, isNetworkError);
  });

  it('a command whose socket closes while it is being written ends', async () => {
    const asked = command({ insert: 'rows', bytes: Buffer.alloc(LARGE_BYTES) });
    while (!socket.writableNeedDrain) await new Promise(setImmediate);
    socket.destroy();
    await assert.rejects(asked, isNetworkError);
  });

  it('a command that nobody reads ends with the time of its socket', async () => {
    await assert.rejects(command({ insert: 'rows', bytes: Buffer.alloc(LARGE_BYTES) }), isNetworkError);
  });

  it('leaves no listeners behind', async () => {
    const before = socket.listenerCount('close');
    await assert.rejects(command({ hello: 1 }));
    assert.equal(socket.listenerCount('close'), before);
  });
});
