import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import type { DrillGateway } from './drill-gateway.ts';

/** Milliseconds between two reads. */
const REST_MS = 100;

/** Reads the list of errors from whichever gateway runs, as people behind a load balancer do. */
export class DrillReader {
  readonly #gateways: readonly DrillGateway[];
  #stopped = false;
  #running: Promise<number> = Promise.resolve(0);

  constructor(gateways: readonly DrillGateway[]) {
    this.#gateways = gateways;
  }

  start(): this {
    this.#running = this.#read();
    // Awaited by `stop`; until then a failure must not count as unhandled.
    this.#running.catch(() => undefined);
    return this;
  }

  /** Ends reading; returns the number of answers. Throws when one failed, or when a count went down. */
  async stop(): Promise<number> {
    this.#stopped = true;
    return this.#running;
  }

  async #read(): Promise<number> {
    const [first] = this.#gateways;
    assert.ok(first !== undefined);
    const { project_id: id, token } = first.service.first;
    const path = `/api/v4/projects/${id}/error_tracking/errors?status=all&per_page=100`;
    let answers = 0;
    let counted = 0;
    while (!this.#stopped) {
      await wait(REST_MS);
      for (const gateway of this.#gateways) {
        const address = gateway.target();
        if (address === null) continue;
        const answer = await fetch(new URL(path, address), { headers: { 'PRIVATE-TOKEN': token } }).catch(() => null);
        // The connection broke because the gateway ends.
        if (answer === null || gateway.target() === null) continue;
        const text = await answer.text();
        assert.equal(answer.status, 200, text);
        const now = (JSON.parse(text) as { count: number }[]).reduce((sum, { count }) => sum + count, 0);
        assert.ok(now >= counted, `${counted} events became ${now}`);
        counted = now;
        answers += 1;
      }
    }
    return answers;
  }
}
