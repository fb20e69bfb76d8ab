import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

/**
 * Makes hashes of passwords cheap in this process: a true one takes a quarter of a second of processor time. Hashes
 * that a service in a process of its own made are not recognised here, nor the other way round.
 */
export function makeScryptCheap(): void {
  const { scrypt } = crypto;
  const cheap = (
    password: crypto.BinaryLike,
    salt: crypto.BinaryLike,
    bytes: number,
    options: crypto.ScryptOptions,
    done: (error: Error | null, key: Buffer) => void,
  ): void => scrypt(password, salt, bytes, { ...options, N: 2 ** 10, p: 1 }, done);
  Object.assign(crypto, { scrypt: cheap });
  syncBuiltinESMExports();
}
