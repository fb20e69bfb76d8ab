import assert from 'node:assert/strict';
import { assertLooks } from '../support/browser-looks.ts';
import { describeInBrowser, pass, sees } from '../support/browser.ts';

/** Milliseconds after which the page reports that the test event is delayed. */
const SLOW_MS = 16_000;

const LANGUAGES = ['Go', 'Java', 'Node.js', 'PHP', 'Python', 'Ruby', 'Rust', 'Browser'];

describeInBrowser('the set-up page', (world) => {
  const address = () => `${world().list}/setup`;

  it('has the DSN in a snippet for every language', async () => {
    const page = await world().page();
    await page.goto(address());
    const { dsn } = world().service.first;
    // The other tabs are those of build tools.
    const panel = page.getByRole('tabpanel').first();
    await panel.getByText(dsn).first().waitFor();
    for (const language of LANGUAGES) {
      await page.getByRole('tab', { name: language, exact: true }).click();
      const code = await panel.textContent();
      assert.ok(code?.includes(dsn), `${language}: ${code ?? ''}`);
    }
    await page.getByRole('button', { name: 'Send a test event' }).waitFor();
    await assertLooks(page, 'set-up');
  });

  it('says what a test event is, and when it is delayed', async () => {
    const page = await world().page({ clock: true });
    await page.route('**/error_tracking/errors?**', (route) => route.fulfill({ json: [] }));
    await page.goto(address());
    await sees(page, 'Sends a sample event through the normal pipeline (not through your network');
    await page.getByRole('button', { name: 'Send a test event' }).click();
    await sees(page, 'Accepted, processing…');
    await pass(page, SLOW_MS);
    await sees(page, 'Accepted, still processing…');
  });
});
