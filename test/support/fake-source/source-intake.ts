import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib';
import type { IncomingHttpHeaders } from 'node:http';
import type { SdkBody, SourceProject } from './source-records.ts';
import type { SourceWorld } from './source-world.ts';
import { json, SourceRefusal, type SourceReply } from './source-call.ts';

/** Key of a request, from the header or the query. */
function keyOf(url: URL, headers: IncomingHttpHeaders): string | null {
  const header = String(headers['x-sentry-auth'] ?? headers.authorization ?? '');
  return /sentry_key=(\w+)/.exec(header)?.[1] ?? url.searchParams.get('sentry_key');
}

function inflate(body: Buffer, encoding: string | undefined): Buffer {
  if (encoding === 'gzip') return gunzipSync(body);
  if (encoding === 'deflate') return inflateSync(body);
  return encoding === 'br' ? brotliDecompressSync(body) : body;
}

/** Error events of an envelope; other items are accepted and not counted. */
function eventsIn(envelope: Buffer): SdkBody[] {
  const events: SdkBody[] = [];
  let at = 0;
  const line = (): string => {
    const end = envelope.indexOf(0x0a, at);
    const text = envelope.subarray(at, end === -1 ? envelope.length : end).toString('utf8');
    at = end === -1 ? envelope.length : end + 1;
    return text;
  };
  const header = JSON.parse(line()) as { event_id?: string };
  while (at < envelope.length) {
    const text = line();
    if (text === '') continue;
    const item = JSON.parse(text) as { type?: string; length?: number };
    let payload: string;
    if (item.length === undefined) {
      payload = line();
    } else {
      payload = envelope.subarray(at, at + item.length).toString('utf8');
      at += item.length + 1;
    }
    if (item.type === 'event') events.push({ event_id: header.event_id, ...(JSON.parse(payload) as SdkBody) });
  }
  return events;
}

/** Takes `POST /api/<project id>/(store|envelope)/`; null for other requests. */
export function takeEvents(
  world: SourceWorld,
  url: URL,
  headers: IncomingHttpHeaders,
  body: Buffer,
): SourceReply | null {
  const [, id, kind] = /^\/api\/([\w-]+)\/(store|envelope)\/$/.exec(url.pathname) ?? [];
  if (id === undefined) return null;
  const key = keyOf(url, headers);
  const project: SourceProject | undefined = world.projects.find((one) => one.id === id);
  if (project === undefined || !project.keys.some(({ publicKey, active }) => active && publicKey === key)) {
    throw new SourceRefusal(403, { detail: 'bad sentry DSN public key' });
  }
  const plain = inflate(body, headers['content-encoding']);
  const events = kind === 'envelope' ? eventsIn(plain) : [JSON.parse(plain.toString('utf8')) as SdkBody];
  for (const event of events) world.receive(project, event);
  return json({ id: events[0]?.event_id ?? null });
}
