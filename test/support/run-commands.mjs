// Runs commands of the built command line one after the other in this process, which loads nothing else, so that its
// standard error has nothing but warnings of Node.js. Prints the exit code and the messages of each as JSON.
import { Buffer } from 'node:buffer';
import { EventEmitter } from 'node:events';
import { Readable, Writable } from 'node:stream';
import { runCli } from '../../dist/src/cli/program.js';

const results = [];
for (const args of JSON.parse(process.argv[2])) {
  const signals = new EventEmitter();
  let printed = '';
  const output = () =>
    new Writable({
      write(chunk, _encoding, done) {
        printed += chunk.toString();
        // The service is ready.
        if (args[0] === 'serve' && /PRIVATE-TOKEN/.test(printed)) signals.emit('SIGTERM');
        done();
      },
    });
  const stdin = Readable.from(args.includes('--password-stdin') ? [Buffer.from('correct horse battery\n')] : []);
  const code = await runCli(args, { env: process.env, stdin, stdout: output(), stderr: output(), signals });
  results.push({ code, printed });
}
process.stdout.write(JSON.stringify(results));
