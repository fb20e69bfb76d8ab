import { closeSync, openSync, writeSync } from 'node:fs';
import { randomBytes } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { eventBody } from './event-body.ts';

/** Level of the Python SDK, the highest. */
const GZIP_LEVEL = 9;

/**
 * Writes gzipped envelopes for bench/load/post-ready.lua, each with `eventsEach` events that have ids of their own.
 * They are made beforehand, so that compressing them takes no time from the cores while the service is measured.
 */
export function writeEnvelopes(file: string, envelopes: number, eventsEach: number): void {
  const at = new Date();
  const run = randomBytes(8).toString('hex');
  const out = openSync(file, 'w');
  let counter = 0;
  for (let envelope = 0; envelope < envelopes; envelope += 1) {
    const items: string[] = [];
    const first = idOf(run, counter + 1);
    for (let item = 0; item < eventsEach; item += 1) {
      counter += 1;
      const body = eventBody(at, idOf(run, counter), counter % 50, (counter * 7) % 1000);
      items.push(JSON.stringify({ type: 'event', content_type: 'application/json', length: Buffer.byteLength(body) }));
      items.push(body);
    }
    const header = JSON.stringify({ event_id: first, sent_at: at.toISOString() });
    const bytes = gzipSync(`${[header, ...items].join('\n')}\n`, { level: GZIP_LEVEL });
    writeSync(out, Buffer.concat([Buffer.from(bytes.length.toString(16).padStart(8, '0')), bytes]));
  }
  closeSync(out);
}

function idOf(run: string, counter: number): string {
  return run + counter.toString(16).padStart(16, '0');
}
