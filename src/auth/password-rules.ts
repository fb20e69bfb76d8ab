import { AppError } from '../domain/app-error.ts';
import { isCommonPassword } from './common-passwords.ts';

/** Minimum characters of a password. */
export const MIN_PASSWORD_LENGTH = 8;
/** Maximum characters of a password, which bounds the work of hashing. */
export const MAX_PASSWORD_LENGTH = 128;

const ONE_CHARACTER = /^(.)\1*$/su;

/** Throws `bad_request` with the reason when the password is too weak for this user, or too long. */
export async function assertGoodPassword(password: string, username: string): Promise<void> {
  if (password.length < MIN_PASSWORD_LENGTH) {
    throw new AppError('bad_request', `Password is too short (minimum is ${MIN_PASSWORD_LENGTH} characters).`);
  }
  if (password.length > MAX_PASSWORD_LENGTH) {
    throw new AppError('bad_request', `Password is too long (maximum is ${MAX_PASSWORD_LENGTH} characters).`);
  }
  if (password.toLowerCase() === username.toLowerCase()) {
    throw new AppError('bad_request', 'Password must differ from the username.');
  }
  if (ONE_CHARACTER.test(password)) {
    throw new AppError('bad_request', 'Password repeats one character. Choose another one.');
  }
  if (await isCommonPassword(password)) {
    throw new AppError('bad_request', 'Password is one of the most common ones. Choose another one.');
  }
}
