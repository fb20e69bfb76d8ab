import { connect, type Socket } from 'node:net';
import { eventBody } from './event-body.ts';
import { percentile } from './statistics.ts';

export interface OpenLoopFigures {
  readonly sent: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  /** Delay between due time and writing, p99: the generator's own part of the latency. */
  readonly ownP99: number;
}

/** Milliseconds between two checks for due requests; half of it is part of every latency. */
const TICK_MS = 1;

/** Number of connections, twice that of wrk. Requests that wait for a connection count with their waiting time. */
const CONNECTIONS = 64;

/** Sends one request at a time over a persistent connection, with minimal overhead. */
class Connection {
  readonly #socket: Socket;
  readonly #idle: Connection[];
  #answered: ((ok: boolean) => void) | null = null;
  #received = '';

  constructor(port: number, idle: Connection[]) {
    this.#idle = idle;
    this.#socket = connect({ host: '127.0.0.1', port, noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (text: string) => this.#take(text));
    this.#socket.on('error', () => this.#done(false));
    this.#socket.on('close', () => this.#done(false));
  }

  send(request: string, answered: (ok: boolean) => void): void {
    this.#answered = answered;
    this.#socket.write(request);
  }

  end(): void {
    this.#socket.destroy();
  }

  /** Takes an answer, once its body has the length that its head declares. */
  #take(text: string): void {
    this.#received += text;
    const head = this.#received.indexOf('\r\n\r\n');
    if (head < 0) return;
    const length = Number(/content-length: (\d+)/i.exec(this.#received)?.[1] ?? 0);
    if (this.#received.length < head + 4 + length) return;
    const ok = this.#received.startsWith('HTTP/1.1 200 ');
    this.#received = '';
    this.#done(ok);
    this.#idle.push(this);
  }

  #done(ok: boolean): void {
    const answered = this.#answered;
    this.#answered = null;
    answered?.(ok);
  }
}

/**
 * Sends at a fixed rate, so that slow answers do not reduce the load. Latencies are milliseconds from the due time.
 * `ended`: asked between requests; true ends the load before its time.
 */
export async function openLoop(
  port: number,
  path: string,
  key: string,
  perSecond: number,
  seconds: number,
  ended: () => boolean = () => false,
): Promise<OpenLoopFigures> {
  const at = new Date();
  const idle: Connection[] = [];
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port, idle));
  idle.push(...connections);
  const latencies: number[] = [];
  const delays: number[] = [];
  let sent = 0;
  let failed = 0;
  let total = Math.floor(perSecond * seconds);
  const run = Date.now().toString(16).padStart(16, '0');
  const head = `POST ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Sentry-Auth: Sentry sentry_version=7, sentry_key=${key}\r\nContent-Length: `;
  const started = performance.now();

  const sendNext = (connection: Connection): void => {
    const due = started + (sent / perSecond) * 1000;
    sent += 1;
    delays.push(performance.now() - due);
    const body = eventBody(at, run + sent.toString(16).padStart(16, '0'), sent % 50, (sent * 7) % 1000);
    connection.send(`${head}${Buffer.byteLength(body)}\r\n\r\n${body}`, (ok) => {
      latencies.push(performance.now() - due);
      if (!ok) failed += 1;
    });
  };

  let deadline = started + seconds * 1000 + GRACE_MS;
  while (latencies.length < total && performance.now() < deadline) {
    if (total > sent && ended()) {
      total = sent;
      deadline = performance.now() + GRACE_MS;
    }
    const dueCount = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    while (sent < dueCount) {
      // Takes turns, because a connection without use for a minute would be closed.
      const connection = idle.shift();
      if (connection === undefined) break;
      sendNext(connection);
    }
    await new Promise((resolve) => setTimeout(resolve, TICK_MS));
  }
  for (const connection of connections) connection.end();
  return {
    sent,
    failed: failed + sent - latencies.length,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    ownP99: percentile(delays, 0.99),
  };
}

/** Milliseconds to wait for answers after the last request is due. */
const GRACE_MS = 30_000;
