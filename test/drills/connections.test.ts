import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from '../../bench/measure/statistics.ts';
import { buildOnce } from '../support/cli-process.ts';
import { rawHttp } from '../support/raw-http.ts';
import { recordResult } from '../support/record-result.ts';
import { type ServiceProcess, startServiceProcess, writeConfig } from '../support/service-process.ts';
import { suiteInFullRun } from '../support/full-run.ts';

/** Connections that are open and say nothing; fewer where the limit of open files allows no more. */
const IDLE = 10_000;
/** Files beside connections that this process and the service may have open. */
const SPARE_FILES = 500;
/** Senders of each kind that begin a request and never end it. */
const SLOW = 100;
const SENDERS = 8;
/** Of requests with made-up keys, on a connection each; they never rest. */
const FLOODERS = 64;
/**
 * Events per measurement. Fewer are over in less than half a second, of which the refusals that a flood is given at
 * once take their part. Full size by 5000 (`npm run test:full`).
 */
const EVENTS = Number(process.env['ERRGATE_TEST_CONNECTION_EVENTS'] ?? 2000);
/** Measurements of each kind, which take turns. */
const TURNS = 3;
const TURNS_IN_FLOOD = 5;
/** Least share of the events a second that others keep; that of each turn is taken by itself, and their median counts. */
const SHARE = 0.5;
/** Refusals that an address is given at once, per second of the clock. */
const PROMPT = 100;
/** Milliseconds: a faster refusal was not delayed. Less than the delay of the service, because timers may fire early. */
const AT_ONCE_MS = 95;
/** It stops in this time at most while flooders go on, far below the limit that it was given. Milliseconds. */
const STOPPED_MS = 60_000;
const SHUTDOWN_LIMIT_MS = 300_000;

/** Soft limit of open files, which a child inherits. */
function fileLimit(): number {
  const limit = execFileSync('sh', ['-c', 'ulimit -n']).toString().trim();
  return limit === 'unlimited' ? Number.POSITIVE_INFINITY : Number(limit);
}

async function open(service: ServiceProcess, begin: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  if (begin !== '') socket.write(begin);
  return socket;
}

async function openMany(service: ServiceProcess, count: number, begin: string): Promise<Socket[]> {
  const sockets: Socket[] = [];
  while (sockets.length < count) {
    const portion = Math.min(100, count - sockets.length);
    sockets.push(...(await Promise.all(Array.from({ length: portion }, () => open(service, begin)))));
  }
  return sockets;
}

function post(agent: Agent, address: string): Promise<number> {
  return new Promise((resolve, reject) => {
    request(address, { method: 'POST', agent }, (answer) => {
      answer.resume().once('end', () => resolve(answer.statusCode ?? 0));
    })
      .once('error', reject)
      .end('{"message":"drill of connections"}');
  });
}

/** Events a second that get through; each must be answered 200. */
async function acceptance(agent: Agent, address: string): Promise<number> {
  const began = performance.now();
  let next = 0;
  const sender = async (): Promise<void> => {
    while (next < EVENTS) {
      next += 1;
      assert.equal(await post(agent, address), 200);
    }
  };
  await Promise.all(Array.from({ length: SENDERS }, sender));
  return (EVENTS * 1000) / (performance.now() - began);
}

/** Senders of made-up keys, each of which sends again as soon as it is answered, until the flood or the service ends. */
class Flood {
  /** Of all turns. */
  answers = 0;
  atOnce = 0;
  readonly #agent: Agent;
  readonly #address: string;
  #number = 0;
  #over = true;
  #senders: Promise<void>[] = [];

  constructor(agent: Agent, address: string) {
    this.#agent = agent;
    this.#address = address;
  }

  begin(): void {
    this.#over = false;
    this.#senders = Array.from({ length: FLOODERS }, () => this.#send());
  }

  async end(): Promise<void> {
    this.#over = true;
    await Promise.all(this.#senders);
  }

  async #send(): Promise<void> {
    while (!this.#over) {
      this.#number += 1;
      const stranger = this.#address.replace(/sentry_key=.*/, `sentry_key=stranger${this.#number}`);
      const began = performance.now();
      const status = await post(this.#agent, stranger).catch(() => null);
      // The service has stopped.
      if (status === null) return;
      assert.equal(status, 403);
      this.answers += 1;
      if (performance.now() - began < AT_ONCE_MS) this.atOnce += 1;
    }
  }
}

/** Of the events a second of each turn `SHARE` must be left, by the median; the measured share is printed and recorded. */
function assertShare(what: string, beside: readonly number[], alone: readonly number[]): void {
  const each = beside.map((rate, turn) => rate / (alone[turn] ?? Number.NaN));
  const share = median(each);
  const [besidePerSecond, alonePerSecond] = [Math.round(median(beside)), Math.round(median(alone))];
  recordResult('connections-drill', {
    beside: what,
    alone_per_second: alonePerSecond,
    beside_per_second: besidePerSecond,
    share: Math.round(share * 100) / 100,
  });
  console.log(`      ${what}: ${besidePerSecond}/s of ${alonePerSecond}/s alone`);
  const shares = each.map((one) => one.toFixed(2)).join(' ');
  assert.ok(share >= SHARE, `too little is left: ${shares} of ${alone.join(' ')}`);
}

suiteInFullRun('drill of connections', function () {
  this.timeout(240_000);
  let dataDir: string;
  let service: ServiceProcess;
  let agent: Agent;
  let address: string;
  const sockets: Socket[] = [];

  before(async () => {
    await buildOnce();
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-connections-'));
    service = await startServiceProcess(dataDir, {
      ERRGATE_MIN_FREE_DISK: '1',
      ERRGATE_CONFIG_DIR: writeConfig(dataDir, { server: { shutdownTimeoutMs: SHUTDOWN_LIMIT_MS } }),
    });
    agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    address = `${service.url}/api/${service.first.project_id}/store/?sentry_key=${new URL(service.first.dsn).username}`;
    // The first ones are slower: code that is new, files that are new.
    for (let turn = 0; turn < TURNS; turn += 1) await acceptance(agent, address);
  });
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.destroy();
  });
  after(async () => {
    agent.destroy();
    await service.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('idle connections, slow and half-open senders do not delay the others', async () => {
    const possible = Math.max(0, fileLimit() - SPARE_FILES - 4 * SLOW);
    const idle = Math.min(IDLE, possible);
    if (idle < IDLE)
      console.log(`      FEWER: ${idle} idle connections instead of ${IDLE}: raise the limit with \`ulimit -n\``);
    assert.ok(idle > 0, 'the limit of open files leaves no room for a test: raise it with `ulimit -n`');
    const target = new URL(address);
    const head = `POST ${target.pathname}${target.search} HTTP/1.1\r\nHost: x\r\n`;
    const alone: number[] = [];
    const beside: number[] = [];
    for (let turn = 0; turn < TURNS; turn += 1) {
      alone.push(await acceptance(agent, address));
      sockets.push(...(await openMany(service, idle, '')));
      // Headers that never end, a body that never ends, one whose sender has said that nothing more comes.
      sockets.push(...(await openMany(service, SLOW, head)));
      sockets.push(...(await openMany(service, SLOW, `${head}Content-Length: 1000\r\n\r\n{"message":`)));
      const halfOpen = await openMany(service, SLOW, `${head}Content-Length: 1000\r\n\r\n{"message":`);
      for (const socket of halfOpen) socket.end();
      sockets.push(...halfOpen);
      beside.push(await acceptance(agent, address));
      assert.ok(sockets.filter((socket) => !socket.destroyed).length >= idle, 'they were open all the time');
      for (const socket of sockets.splice(0)) socket.destroy();
    }
    assertShare(`${idle} idle, ${SLOW * 3} slow or half-open`, beside, alone);
  });

  it('refuses oversized headers and data that is not HTTP, and serves the next sender', async () => {
    const target = new URL(address);
    const head = `POST ${target.pathname}${target.search} HTTP/1.1\r\nHost: x\r\n`;
    const huge = await rawHttp(service.url, `${head}X-Huge: ${'h'.repeat(20_000)}\r\n\r\n`);
    assert.match(huge, /^HTTP\/1\.1 431 /);
    const many = await rawHttp(service.url, `${head}${'Aaaaaaaa: bbbbbbbbbbbb\r\n'.repeat(1500)}\r\n`);
    assert.match(many, /^HTTP\/1\.1 431 /);
    // Beyond a megabyte the connection may be cut before the answer has been read.
    await rawHttp(service.url, `${head}X-Huge: ${'h'.repeat(2_000_000)}\r\n\r\n`).catch(() => undefined);
    for (const noise of [
      '\0\x01\x02\x03\r\n\r\n',
      'GET\r\n\r\n',
      '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n',
    ])
      assert.match(await rawHttp(service.url, Buffer.from(noise, 'latin1')), /^HTTP\/1\.1 400 /);
    assert.equal(await post(agent, address), 200);
    assert.doesNotMatch(service.log(), /^\s+at /m);
  });

  it('a flood of requests with unknown keys leaves the other requests their share, and lets the service stop', async () => {
    const flooding = new Agent({ keepAlive: true, maxSockets: FLOODERS });
    const flood = new Flood(flooding, address);
    const alone: number[] = [];
    const beside: number[] = [];
    let allowed = 0;
    try {
      for (let turn = 0; turn < TURNS_IN_FLOOD; turn += 1) {
        alone.push(await acceptance(agent, address));
        const began = Date.now();
        flood.begin();
        beside.push(await acceptance(agent, address));
        await flood.end();
        allowed += PROMPT * ((Date.now() - began) / 1000 + 1);
      }
      assert.ok(flood.answers >= FLOODERS * TURNS_IN_FLOOD, `there was hardly a flood: ${flood.answers}`);
      assert.ok(flood.atOnce <= allowed, `the flood was not delayed: ${flood.atOnce} at once, at most ${allowed}`);
      assertShare(`a flood of ${FLOODERS} senders with unknown keys`, beside, alone);

      const before = flood.answers;
      flood.begin();
      while (flood.answers < before + FLOODERS) assert.equal(await post(agent, address), 200);
      const stopping = performance.now();
      assert.equal(await service.end('SIGTERM'), 0);
      const took = performance.now() - stopping;
      assert.ok(took < STOPPED_MS, `it took ${took.toFixed(0)} ms to stop while it was flooded`);
      await flood.end();
    } finally {
      flooding.destroy();
    }
  });
});
