/** Baseline: a minimal Node server that reads and parses the same body. Prints its port. */
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const event = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { event_id: string };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ id: event.event_id }));
  });
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(address.port);
});
