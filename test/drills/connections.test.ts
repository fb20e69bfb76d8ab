import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buildOnce } from '../support/cli-process.ts';
import { rawHttp } from '../support/raw-http.ts';
import { recordResult } from '../support/record-result.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';

/** Connections that are open and say nothing; fewer where the limit of open files allows no more. */
const IDLE = 10_000;
/** Files beside connections that this process and the service may have open. */
const SPARE_FILES = 500;
/** Senders of each kind that begin a request and never end it. */
const SLOW = 100;
const SENDERS = 8;
/** Events per measurement, and measurements of each kind, which take turns. */
const EVENTS = 300;
const TURNS = 3;
/** Least share of the events a second that others keep; that of each turn is taken by itself, and their median counts. */
const SHARE_BESIDE_IDLE = 0.5;
const SHARE_IN_FLOOD = 0.5;
/** What a flood is answered at most: at once per second, and on each connection per second. */
const PROMPT = 100;
const PUT_OFF = 10;

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

/** Of each turn the share of the events a second that is left, and the median of these. */
function shares(beside: readonly number[], alone: readonly number[]): { share: number; each: string } {
  const each = beside.map((rate, turn) => rate / (alone[turn] ?? Number.NaN));
  return { share: median(each), each: each.map((one) => one.toFixed(2)).join(' ') };
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

describe('drill of connections', function () {
  this.timeout(240_000);
  let dataDir: string;
  let service: ServiceProcess;
  let agent: Agent;
  let address: string;
  const sockets: Socket[] = [];

  before(async () => {
    await buildOnce();
  });
  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'errgate-connections-'));
    service = await startServiceProcess(dataDir, { ERRGATE_MIN_FREE_DISK: '1' });
    agent = new Agent({ keepAlive: true, maxSockets: SENDERS });
    address = `${service.url}/api/${service.first.project_id}/store/?sentry_key=${new URL(service.first.dsn).username}`;
    // The first ones are slower: code that is new, files that are new.
    for (let turn = 0; turn < TURNS; turn += 1) await acceptance(agent, address);
  });
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy();
    agent.destroy();
    await service.end('SIGKILL');
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('idle connections, slow and half-open senders take nothing from the others', async () => {
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
    const { share, each } = shares(beside, alone);
    recordResult('connections-drill', {
      beside: `${idle} idle, ${SLOW * 3} slow or half-open`,
      alone_per_second: Math.round(median(alone)),
      beside_per_second: Math.round(median(beside)),
      share: Math.round(share * 100) / 100,
    });
    console.log(
      `      ${idle} idle, ${SLOW * 3} slow: ${median(beside).toFixed(0)}/s of ${median(alone).toFixed(0)}/s alone`,
    );
    assert.ok(share >= SHARE_BESIDE_IDLE, `too little is left: ${each} of ${alone.join(' ')}`);
    assert.equal(await service.end('SIGTERM'), 0);
  });

  it('a flood of requests with unknown keys leaves the others their share', async () => {
    const flooding = new Agent({ keepAlive: true, maxSockets: SENDERS });
    const alone: number[] = [];
    const beside: number[] = [];
    let strangers = 0;
    let answers = 0;
    let mostAnswers = 0;
    try {
      for (let turn = 0; turn < TURNS; turn += 1) {
        alone.push(await acceptance(agent, address));
        let over = false;
        const flooder = async (): Promise<void> => {
          while (!over) {
            strangers += 1;
            const stranger = address.replace(/sentry_key=.*/, `sentry_key=stranger${strangers}`);
            assert.equal(await post(flooding, stranger), 403);
            answers += 1;
          }
        };
        const began = performance.now();
        const flood = Promise.all(Array.from({ length: SENDERS }, flooder));
        beside.push(await acceptance(agent, address));
        over = true;
        await flood;
        const seconds = (performance.now() - began) / 1000;
        mostAnswers += PROMPT * (seconds + 2) + SENDERS * (PUT_OFF * seconds + 1);
      }
    } finally {
      flooding.destroy();
    }
    const { share, each } = shares(beside, alone);
    recordResult('connections-drill', {
      beside: `a flood of ${SENDERS} senders with unknown keys`,
      alone_per_second: Math.round(median(alone)),
      beside_per_second: Math.round(median(beside)),
      share: Math.round(share * 100) / 100,
    });
    console.log(`      ${answers} refused: ${median(beside).toFixed(0)}/s of ${median(alone).toFixed(0)}/s alone`);
    assert.ok(answers > PROMPT, `there was hardly a flood: ${answers}`);
    assert.ok(answers <= mostAnswers, `the flood was not put off: ${answers} answers, at most ${mostAnswers}`);
    assert.ok(share >= SHARE_IN_FLOOD, `too little is left: ${each} of ${alone.join(' ')}`);
    assert.equal(await service.end('SIGTERM'), 0);
  });

  it('headers beyond all measure are refused, and what is no HTTP; the next sender is served', async () => {
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
});
