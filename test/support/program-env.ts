const CHEAP_SCRYPT = `--import=${new URL('cheap-scrypt.mjs', import.meta.url).href}`;
/** True hashes of passwords in the programs that tests start (`npm run test:full`). */
const TRUE_SCRYPT = process.env['ERRGATE_TEST_TRUE_SCRYPT'] === '1';

/** Environment of a program that a test starts: that of this process, with `env`, and with cheap hashes of passwords. */
export function programEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const all = { ...process.env, ...env };
  if (TRUE_SCRYPT) return all;
  const options = all['NODE_OPTIONS'] ?? '';
  return { ...all, NODE_OPTIONS: options === '' ? CHEAP_SCRYPT : `${CHEAP_SCRYPT} ${options}` };
}
