import type { MessagePort } from 'node:worker_threads';
import { AppError } from '../../domain/app-error.ts';
import type { CommandArguments, CommandName, CommandResult, WriteExecutor } from './command-table.ts';
import { deserialiseError, type WriteRequest, type WriteResponse } from './write-protocol.ts';

interface Pending {
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: AppError) => void;
}

/**
 * Sends commands to the thread with the process's write connection (`serveWrites` at the other end of the port). The
 * port keeps the process alive only while an answer is pending.
 */
export class RemoteExecutor implements WriteExecutor {
  readonly #port: MessagePort;
  readonly #pending = new Map<number, Pending>();
  #nextId = 1;
  #closed = false;

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (response: WriteResponse) => this.#receive(response));
    port.on('close', () => this.#abandon());
    port.unref();
  }

  run<N extends CommandName>(name: N, ...args: CommandArguments<N>): Promise<CommandResult<N>> {
    if (this.#closed) {
      return Promise.reject(lost());
    }
    const request: WriteRequest = { id: this.#nextId, name, args };
    this.#nextId += 1;
    return new Promise((resolve, reject) => {
      // Sends first: a value that cannot be cloned throws here and leaves nothing pending.
      this.#port.postMessage(request);
      this.#pending.set(request.id, { resolve: (result) => resolve(result as CommandResult<N>), reject });
      this.#port.ref();
    });
  }

  async close(): Promise<void> {
    this.#abandon();
    this.#port.close();
  }

  #receive(response: WriteResponse): void {
    const pending = this.#pending.get(response.id);
    this.#pending.delete(response.id);
    if (this.#pending.size === 0) {
      this.#port.unref();
    }
    if (response.ok) {
      pending?.resolve(response.result);
    } else {
      pending?.reject(deserialiseError(response.error));
    }
  }

  #abandon(): void {
    this.#closed = true;
    for (const { reject } of this.#pending.values()) {
      reject(lost());
    }
    this.#pending.clear();
  }
}

function lost(): AppError {
  return new AppError('store_unavailable', 'the thread that writes to the store has ended', { retryAfterSeconds: 5 });
}
