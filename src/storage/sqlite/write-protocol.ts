import { AppError, type ErrorCode } from '../../domain/app-error.ts';
import type { CommandName } from './command-table.ts';

/** Command sent to the writing thread. */
export interface WriteRequest {
  readonly id: number;
  readonly name: CommandName;
  readonly args: readonly unknown[];
}

export type WriteResponse =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | { readonly id: number; readonly ok: false; readonly error: SerialisedError };

/** AppError in a form that can be cloned, without its cause. */
export interface SerialisedError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly retryAfterSeconds: number | undefined;
  readonly details: AppError['details'];
}

export function serialiseError(error: AppError): SerialisedError {
  const { code, message, retryAfterSeconds, details } = error;
  return { code, message, retryAfterSeconds, details };
}

export function deserialiseError(error: SerialisedError): AppError {
  const { code, message, retryAfterSeconds, details } = error;
  return new AppError(code, message, { retryAfterSeconds, details });
}
