import { AppError } from '../../domain/app-error.ts';

/** The refusal of a body whose inflated size exceeds `maxBytes`. */
export function inflatedTooLarge(maxBytes: number): AppError {
  return new AppError('ingest_too_large', `The inflated request body exceeds ${maxBytes} bytes.`);
}

/** The refusal of a compressed body that cannot be read. */
export function corruptBody(cause?: unknown): AppError {
  return new AppError('ingest_invalid', 'The compressed request body is corrupt or cut off.', {
    cause,
    details: { outcome: 'corrupt_encoding' },
  });
}
