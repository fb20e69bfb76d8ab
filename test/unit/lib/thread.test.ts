import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import type { Worker } from 'node:worker_threads';
import { Thread, type ThreadOptions } from '../../../src/lib/thread.ts';
import { eventually } from '../../support/service-process.ts';

/** Worker that records what it is sent, and ends when the test says so. */
class FakeWorker extends EventEmitter {
  readonly got: unknown[] = [];
  terminated = 0;
  postMessage(message: unknown): void {
    this.got.push(message);
  }
  async terminate(): Promise<number> {
    this.terminated += 1;
    return 1;
  }
  end(code: number, error?: Error): void {
    if (error !== undefined) this.emit('error', error);
    this.emit('exit', code);
  }
}

interface Ping {
  readonly kind: 'ping';
}

function world(given: Partial<ThreadOptions<string>> = {}) {
  const workers: FakeWorker[] = [];
  const restarted: boolean[] = [];
  const heard: string[] = [];
  const deaths: { readonly message: string; readonly restartMs: number }[] = [];
  let ends = 0;
  const thread = new Thread<Ping, string>({
    spawn(again) {
      restarted.push(again);
      const worker = new FakeWorker();
      workers.push(worker);
      return worker as unknown as Worker;
    },
    onNotice: (notice) => heard.push(notice),
    onEnd: () => (ends += 1),
    onDeath: ({ message }, restartMs) => deaths.push({ message, restartMs }) > 0,
    ...{ firstRestartMs: 2, maxRestartMs: 8, ...given },
  });
  const spawned = (count: number) =>
    eventually(
      async () => workers.length,
      (now) => now === count,
    );
  return { thread, workers, restarted, heard, deaths, spawned, ends: () => ends };
}

describe('Thread', () => {
  it('passes messages to its worker and from it, and drops what is said to none', () => {
    const { thread, workers, heard } = world();
    thread.say({ kind: 'ping' });
    assert.equal(thread.isLive, false);
    thread.start();
    assert.equal(thread.isLive, true);
    thread.say({ kind: 'ping' });
    workers[0]?.emit('message', 'pong');
    assert.deepEqual([workers[0]?.got, heard], [[{ kind: 'ping' }], ['pong']]);
  });

  it('replaces a worker that ended, later each time until it works', async () => {
    const { thread, workers, restarted, deaths, spawned, ends } = world();
    thread.start();
    workers[0]?.end(1, new Error('out of memory'));
    assert.equal(thread.isLive, false);
    await spawned(2);
    workers[1]?.end(7);
    await spawned(3);
    workers[2]?.end(7);
    await spawned(4);
    thread.works();
    workers[3]?.end(7);
    await spawned(5);
    assert.deepEqual(restarted, [false, true, true, true, true]);
    assert.deepEqual(deaths.slice(0, 2).map(({ message }) => message), ['out of memory', 'the thread ended with code 7']); // prettier-ignore
    const [first = 0, , third = 0, last = 0] = deaths.map(({ restartMs }) => restartMs);
    assert.ok(first <= 2 && third >= 4 && last <= 2, JSON.stringify(deaths));
    assert.equal(ends(), 4);
  });

  it('does not replace a worker that cannot do its work', async () => {
    const { thread, workers, ends } = world({ onDeath: () => false });
    thread.start();
    workers[0]?.end(0);
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual([workers.length, ends()], [1, 1]);
  });

  it('stops by a message, waits for the end, and starts no other worker', async () => {
    const { thread, workers, deaths, ends } = world();
    thread.start();
    let isStopped = false;
    const stopped = thread.stop().then(() => (isStopped = true));
    await new Promise(setImmediate);
    assert.deepEqual([workers[0]?.got, isStopped], [[{ kind: 'stop' }], false]);
    workers[0]?.end(0);
    await stopped;
    await new Promise((resolve) => setTimeout(resolve, 30));
    assert.deepEqual([workers.length, deaths.length, ends()], [1, 0, 1]);
  });

  it('starts no other worker when it is stopped while one waits for its start', async () => {
    const { thread, workers } = world({ firstRestartMs: 20 });
    thread.start();
    workers[0]?.end(1);
    await thread.stop();
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.equal(workers.length, 1);
  });

  it('terminates a worker that does not end in time', async () => {
    const { thread, workers } = world();
    thread.start();
    await thread.stop(10);
    assert.equal(workers[0]?.terminated, 1);
  });
});
