/** Fake Sentry with one project of 100 errors. Takes its latency in milliseconds; prints its address. */
import { faults } from '../../test/support/fake-tracker/faults.ts';
import { startFakeTracker } from '../../test/support/fake-tracker/fake-tracker.ts';
import { TRACKER_TOKEN } from '../../test/support/fake-tracker/linked-world.ts';

const latencyMs = Number(process.argv[2] ?? 0);
const tracker = await startFakeTracker('Sentry 26', { brownout: false });
const shop = tracker.world.addProject('acme', 'shop', '11');
tracker.world.addToken(TRACKER_TOKEN);
for (let index = 0; index < 100; index += 1) {
  tracker.world.addIssue(shop, {
    title: `ValueError: number ${index}`,
    message: `number ${index}`,
    events: Array.from({ length: 5 }, (_, event) => ({
      at: Date.now() - (index * 10 + event) * 60_000,
      user: `u${event}`,
    })),
  });
}
if (latencyMs > 0) tracker.fail(faults.late(latencyMs));
console.log(tracker.origin);
