import type { IncomingMessage } from 'node:http';
import { pipeline } from 'node:stream/promises';
import type { Readable } from 'node:stream';
import { Busboy } from '@fastify/busboy';
import { AppError } from '../../domain/app-error.ts';
import type { ChunkBounds } from '../../domain/ports/uploads.ts';
import { boundedParts } from '../../lib/parts.ts';

/** Bytes of a form around its files. */
const FORM_BYTES = 64 * 1024;

type TakePart = (part: string, name: string, content: Readable) => Promise<void>;

function tooLarge({ requestBytes, chunksPerRequest }: ChunkBounds): AppError {
  return new AppError(
    'payload_too_large',
    `Request too large: at most ${requestBytes} bytes and ${chunksPerRequest} chunks in one request.`,
  );
}

/** Reads the files of a form while they arrive; none is in memory as a whole. */
export class FormReader {
  readonly #request: IncomingMessage;
  readonly #form: InstanceType<typeof Busboy>;
  readonly #bounds: ChunkBounds;
  readonly #take: TakePart;
  /** Files that are being stored: the form gives the next one when it has read the one before. */
  readonly #taking: Promise<void>[] = [];
  readonly #contents: Readable[] = [];
  #failure: Error | null = null;

  /** Throws `bad_request` for another form, `payload_too_large` for a request that says so itself. */
  constructor(request: IncomingMessage, bounds: ChunkBounds, take: TakePart) {
    const { 'content-type': type = '', 'content-length': length = '0' } = request.headers;
    if (Number(length) > bounds.requestBytes + FORM_BYTES) throw tooLarge(bounds);
    this.#request = request;
    this.#bounds = bounds;
    this.#take = take;
    try {
      this.#form = new Busboy({
        headers: { ...request.headers, 'content-type': type },
        limits: { files: bounds.chunksPerRequest, fields: 10, fieldSize: 1024, headerPairs: 20 },
      });
    } catch {
      throw new AppError('bad_request', 'Send chunks as multipart/form-data with a boundary.');
    }
  }

  /** Resolves when all files are taken. Throws what taking them throws first. */
  async read(): Promise<void> {
    this.#form.on('file', (part, content, name) => {
      this.#contents.push(content);
      // Failures of a part are those of taking it, or of the form.
      content.on('error', () => undefined);
      this.#taking.push(this.#takeOne(part, name, content));
    });
    this.#form.on('filesLimit', () => this.#end(tooLarge(this.#bounds)));
    this.#form.on('error', () => undefined);
    try {
      const maxBytes = this.#bounds.requestBytes + FORM_BYTES;
      const bounded = (parts: AsyncIterable<Buffer>) => boundedParts(parts, maxBytes, () => tooLarge(this.#bounds));
      await pipeline(this.#request, bounded, this.#form);
    } catch (error) {
      // The form does not end its parts when it ends early.
      this.#contents.forEach((content) => content.destroy(error as Error));
      await Promise.allSettled(this.#taking);
      const reason = this.#failure ?? error;
      throw reason instanceof AppError
        ? reason
        : new AppError('bad_request', 'The form of the request is not complete.', { cause: reason });
    }
    await Promise.all(this.#taking);
  }

  /** Ends the reading of the form; the first reason counts. */
  #end(reason: Error): void {
    this.#failure ??= reason;
    this.#form.destroy(reason);
  }

  #takeOne(part: string, name: string, content: Readable): Promise<void> {
    const taking = this.#take(part, name, content).then(
      // What is known is not read by the store.
      () => void content.resume(),
      (error: unknown) => {
        this.#end(error as Error);
        throw error;
      },
    );
    taking.catch(() => undefined);
    return taking;
  }
}
