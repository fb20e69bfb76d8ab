import { AppError } from '../../../domain/app-error.ts';

/** Creates the error for a body whose inflated size exceeds `maxBytes`. */
export function inflatedTooLarge(maxBytes: number): AppError {
  return new AppError('ingest_too_large', `The inflated request body exceeds ${maxBytes} bytes.`);
}

/** Creates the error for a compressed body that cannot be read. */
export function corruptBody(cause?: unknown): AppError {
  return new AppError('ingest_invalid', 'The compressed request body is corrupt or cut off.', {
    cause,
    details: { outcome: 'corrupt_encoding' },
  });
}
