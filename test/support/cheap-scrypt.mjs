/**
 * Makes hashes of passwords cheap in the process that loads it: a true one takes a quarter of a second of processor
 * time, and the first start of a service makes two. Processes with and without it do not recognise each other's hashes.
 */
import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
crypto.scrypt = (password, salt, bytes, options, done) =>
  scrypt(password, salt, bytes, { ...options, N: 2 ** 10, p: 1 }, done);
syncBuiltinESMExports();
