import { AppError } from '../../domain/app-error.ts';

/** Refusal by a rule, in words for the person. */
export function refused(message: string): AppError {
  return new AppError('sign_on_refused', message);
}

/** A sign-in that cannot be finished. Its cause is for the log: it may name what an attacker sent. */
export function failed(message: string, cause?: unknown): AppError {
  return new AppError('sign_on_failed', message, { cause });
}

/** The provider does not answer, or answers with an error of its own. */
export function unavailable(name: string, cause: unknown): AppError {
  return new AppError(
    'sign_on_unavailable',
    `${name} cannot be reached at the moment. Try again later; sessions and passwords are not affected.`,
    { cause },
  );
}

/** The provider does not accept this service: its client id, secret, scopes or grant types. */
export function misconfigured(name: string, cause: unknown): AppError {
  return new AppError(
    'sign_on_unavailable',
    `Sign-in with ${name} is not configured correctly: ask an administrator to check its client and secret.`,
    { cause },
  );
}
