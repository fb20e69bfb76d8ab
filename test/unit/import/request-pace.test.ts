import assert from 'node:assert/strict';
import { RequestPace } from '../../../src/import/readers/access/request-pace.ts';

/** Clock that a sleep moves on, and a counter of accepted events. */
class Intake {
  time = 1_000_000;
  accepted = 0;
  perSecond = 0;
  readonly clock = { now: () => this.time };
  readonly pace = new RequestPace({
    accepted: async () => this.accepted,
    clock: this.clock,
    sleep: async (ms) => this.pass(ms),
  });

  pass(ms: number): void {
    this.time += ms;
    this.accepted += (this.perSecond * ms) / 1000;
  }

  /** Makes `count` requests of 20 ms, one after another; returns milliseconds. */
  async requests(count: number): Promise<number> {
    const began = this.time;
    for (let index = 0; index < count; index += 1) {
      await this.pace.turn(new AbortController().signal);
      this.pass(20);
    }
    return this.time - began;
  }
}

describe('pace of the requests of an import', () => {
  it('does not delay requests of an idle service', async () => {
    const intake = new Intake();
    assert.equal(await intake.requests(100), 2000);
  });

  it('keeps requests 100 ms apart beside 7,000 events a second, and stops doing so afterwards', async () => {
    const intake = new Intake();
    intake.perSecond = 7000;
    await intake.requests(50);
    assert.ok(Math.abs((await intake.requests(50)) - 5000) <= 100);
    intake.perSecond = 0;
    await intake.requests(50);
    assert.equal(await intake.requests(50), 1000);
  });

  it('lets requests that come at once wait for each other, each at most for five turns', async () => {
    const intake = new Intake();
    intake.perSecond = 7000;
    await intake.requests(50);
    const waits: number[] = [];
    const pace = new RequestPace({
      accepted: async () => intake.accepted,
      clock: intake.clock,
      sleep: async (ms) => void waits.push(Math.round(ms)),
    });
    const { signal } = new AbortController();
    await pace.turn(signal);
    intake.pass(1000);
    for (let index = 0; index < 8; index += 1) await pace.turn(signal);
    assert.deepEqual(waits, [100, 200, 300, 400, 500, 500, 500]);
  });

  it('is not held up by a clock that was set back', async () => {
    const intake = new Intake();
    intake.perSecond = 7000;
    await intake.requests(50);
    intake.time -= 3_600_000;
    assert.ok((await intake.requests(10)) < 2000);
  });
});
