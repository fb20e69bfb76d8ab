import type { MessagePort } from 'node:worker_threads';
import { COMMANDS, type CommandName, type WriteExecutor } from './command-table.ts';
import { toAppError } from './engine/sqlite-errors.ts';
import { serialiseError, type WriteRequest, type WriteResponse } from './write-protocol.ts';

/** Runs the commands of a `RemoteExecutor` at the other end of the port, in order. */
export function serveWrites(port: MessagePort, executor: WriteExecutor): void {
  port.on('message', (request: WriteRequest) => {
    void answer(executor, request).then((response) => port.postMessage(response));
  });
}

async function answer(executor: WriteExecutor, { id, name, args }: WriteRequest): Promise<WriteResponse> {
  try {
    if (!Object.hasOwn(COMMANDS, name)) {
      throw new Error('unknown write command');
    }
    // The types of both ends come from the same table.
    const run = executor.run.bind(executor) as (name: CommandName, ...args: readonly unknown[]) => Promise<unknown>;
    return { id, ok: true, result: await run(name, ...args) };
  } catch (error) {
    return { id, ok: false, error: serialiseError(toAppError(error)) };
  }
}
