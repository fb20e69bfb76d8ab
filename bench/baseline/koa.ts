/** Baseline: a bare Koa server that reads and parses the same body. Prints its port. */
import Koa from 'koa';

const app = new Koa();
app.use(async (context) => {
  const chunks: Buffer[] = [];
  for await (const chunk of context.req) chunks.push(chunk as Buffer);
  const event = JSON.parse(Buffer.concat(chunks).toString('utf8')) as { event_id: string };
  context.body = { id: event.event_id };
});
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object' && address !== null) console.log(address.port);
});
