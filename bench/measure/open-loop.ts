import { connect, type Socket } from 'node:net';
import { eventBody } from './event-body.ts';
import { percentile } from './statistics.ts';

export interface OpenLoopFigures {
  readonly sent: number;
  readonly failed: number;
  readonly p50: number;
  readonly p99: number;
  /** How late requests were written, p99: the part of the latency that the generator itself makes. */
  readonly ownP99: number;
}

/** Milliseconds between two looks at what is due: stands in every latency with half of it. */
const TICK_MS = 1;

/** As many connections as the closed loop of wrk has twice over; what is due while all are busy waits, and its wait counts. */
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

  /** An answer is whole when as many bytes stand behind its head as the head says. */
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
 * Sends at a fixed rate whatever the answers take, so that a slow answer does not slow the load down;
 * latency counts from the moment the request was due. Milliseconds.
 */
export async function openLoop(
  port: number,
  path: string,
  key: string,
  perSecond: number,
  seconds: number,
): Promise<OpenLoopFigures> {
  const at = new Date();
  const idle: Connection[] = [];
  const connections = Array.from({ length: CONNECTIONS }, () => new Connection(port, idle));
  idle.push(...connections);
  const latencies: number[] = [];
  const delays: number[] = [];
  let sent = 0;
  let failed = 0;
  const total = Math.floor(perSecond * seconds);
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

  const deadline = started + seconds * 1000 + GRACE_MS;
  while (latencies.length < total && performance.now() < deadline) {
    const dueCount = Math.min(total, Math.floor(((performance.now() - started) / 1000) * perSecond));
    while (sent < dueCount) {
      // In turns: a connection that is not used for a minute would be closed.
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

/** How long after the last request was due its answer is waited for. Milliseconds. */
const GRACE_MS = 30_000;
