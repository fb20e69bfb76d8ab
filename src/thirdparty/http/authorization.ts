import { AppError } from '../../domain/app-error.ts';
import { trackerError } from './tracker-errors.ts';

/** Characters that are valid in a header. */
const TOKEN = /^[\x21-\x7e]+$/;

export interface Authorization {
  /** Empty for anonymous requests. */
  readonly token: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Creates the header with the token that `open` decrypts. Throws `tracker_refused` for an unreadable or invalid token.
 */
export function authorize(open: () => string | null): Authorization {
  let token: string | null;
  try {
    token = open();
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw trackerError('tracker_refused', error.message, 'Third-party token cannot be read', { reason: 'token' });
  }
  if (token === null) return { token: '', headers: {} };
  if (!TOKEN.test(token)) {
    const message = 'the third-party token contains spaces or characters that are not valid in a token: enter it again';
    throw trackerError('tracker_refused', message, 'Token is invalid', { reason: 'token' });
  }
  return { token, headers: { Authorization: `Bearer ${token}` } };
}
