/** Baseline: a minimal Node server that inflates and parses the same envelope. Prints its port. */
import { createServer } from 'node:http';
import { gunzip } from 'node:zlib';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    gunzip(Buffer.concat(chunks), (error, body) => {
      if (error !== null) {
        response.writeHead(400).end();
        return;
      }
      const lines = body.toString('utf8').split('\n');
      const parsed = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as { event_id?: string });
      response.setHeader('Content-Type', 'application/json');
      response.end(JSON.stringify({ id: parsed[0]?.event_id }));
    });
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(address.port);
});
