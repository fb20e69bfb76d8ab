import { AppError } from '../../domain/app-error.ts';

/** Refusal by a rule, in words for the person. */
export function refused(message: string): AppError {
  return new AppError('sign_on_refused', message);
}

/** Cause of a refusal: the account here is blocked. */
class BlockedAccount extends Error {
  readonly username: string;

  constructor(username: string) {
    super('the account is blocked');
    this.username = username;
  }
}

export function blocked(username: string): AppError {
  const cause = new BlockedAccount(username);
  return new AppError('sign_on_refused', 'Your account here is blocked: ask an administrator to unblock it.', {
    cause,
  });
}

/** Returns the username of a blocked account that was refused; null for other errors. */
export function blockedUsername(error: unknown): string | null {
  return error instanceof Error && error.cause instanceof BlockedAccount ? error.cause.username : null;
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
