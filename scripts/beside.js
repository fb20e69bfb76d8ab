/** Runs a command beside the tests, on processor time that they leave. */
import { spawn } from 'node:child_process';

/**
 * Priority of the command: low, so that tests hardly wait for it; a tenth of the share of a test. With the lowest, the
 * static checks would be half done at the end of the tests on two processors, and then use only one of them.
 */
const NICE = '10';

/**
 * Starts a command of the shell. The promise resolves at its end with null, or with the reason why it failed. Its output
 * is printed in one piece then.
 */
export function runBeside(command) {
  // One pipe for both, which keeps the order of their lines.
  const child = spawn('sh', ['-c', `exec nice -n ${NICE} sh -c "$0" 2>&1`, command], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (chunk) => (output += chunk));
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`\`${command}\` could not be started: ${error.message}`));
    child.once('close', (code, signal) => {
      process.stdout.write(output);
      const how = signal === null ? `exit code ${code}` : `signal ${signal}`;
      resolve(code === 0 ? null : `\`${command}\` ended with ${how}; its output is above`);
    });
  });
}
