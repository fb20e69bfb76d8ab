/** Runs a fake tracker in a separate process, which a signal can stop; prints its address. */
import { startFakeTracker } from './fake-tracker/fake-tracker.ts';

const [token = ''] = process.argv.slice(2);
const tracker = await startFakeTracker('GlitchTip 5.2', { lessons: 1000 });
const shop = tracker.world.addProject('acme', 'shop', '11');
tracker.world.addToken(token);
tracker.world.addIssue(shop, { title: 'TypeError: x', events: [{ at: Date.now() - 60_000 }] });
process.stdout.write(`${JSON.stringify({ origin: tracker.origin })}\n`);
