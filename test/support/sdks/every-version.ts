/**
 * Whether every version of SDKs and build tools runs (`npm run test:sdk`, `npm run test:full`); else the newest of each
 * that this machine can run and that is built quickly or already.
 */
export const EVERY_VERSION = process.env['ERRGATE_TEST_SDKS'] === 'all';
