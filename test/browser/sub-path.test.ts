import assert from 'node:assert/strict';
import { assertAccessible } from '../support/browser-axe.ts';
import { assertLooks } from '../support/browser-looks.ts';
import { sendEvent } from '../support/browser-seed.ts';
import { describeInBrowser, PASSWORD, sees } from '../support/browser.ts';
import { eventually } from '../support/service-process.ts';

describeInBrowser(
  'the pages below a path of another site',
  (world) => {
    // Every test here also fails when a page asks for something outside the path.
    const at = (path: string) => `${world().url}${path}`;

    it('sign in, list, show, resolve and set up', async () => {
      assert.match(world().url, /\/errgate$/);
      await sendEvent(world().target, { message: 'below a path', level: 'error' });
      await eventually(
        () => world().api('GET', '/projects/demo%2Fshop/error_tracking/errors') as Promise<readonly unknown[]>,
        (errors) => errors.length === 1,
      );
      const page = await world().page({ stranger: true });
      await page.goto(at(`${world().list}?sort=frequency`));
      await sees(page, 'Sign in to continue.');
      await page.getByLabel('Username').fill(world().service.first.username);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'below a path' }).waitFor();
      assert.equal(page.url(), at(`${world().list}?sort=frequency`));
      const [cookie] = await page.context().cookies();
      assert.equal(cookie?.path, '/errgate');
      await page.getByRole('link', { name: 'below a path' }).click();
      await page.getByRole('heading', { name: 'below a path', level: 1 }).waitFor();
      assert.match(page.url(), /\/errgate\/demo\/shop\/-\/error_tracking\/\d+\/details/);
      await page.reload();
      await page.getByRole('button', { name: 'Resolve', exact: true }).click();
      await eventually(
        () =>
          world().api('GET', '/projects/demo%2Fshop/error_tracking/errors?status=resolved') as Promise<
            readonly unknown[]
          >,
        (errors) => errors.length === 1,
      );
      await page.getByRole('main').getByRole('link', { name: 'Error Tracking' }).click();
      await sees(page, 'No unresolved errors');
      assert.equal(page.url(), at(`${world().list}?sort=frequency`));

      await page.getByRole('link', { name: 'Settings' }).click();
      await sees(page, world().service.first.dsn);
      assert.match(world().service.first.dsn, /\/errgate\/errortracking\/api\/v1\/projects\/\d+$/);
      await assertAccessible(page);
      await page.getByRole('link', { name: 'errgate' }).click();
      await page.getByRole('heading', { name: 'Projects' }).waitFor();
      assert.equal(page.url(), at('/'));
      // A project's own address leads to its list.
      await page.goto(at('/demo/shop'));
      await sees(page, 'No unresolved errors');
      assert.equal(page.url(), at(world().list));
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('heading', { name: 'Sign in' }).waitFor();
      assert.equal(page.url(), at('/users/sign_in'));
    });

    it('give each build tool an address that it accepts, and say what the reverse proxy has to do', async () => {
      const page = await world().page();
      await page.goto(at(`${world().list}/setup#source-maps`));
      const card = page.getByRole('region', { name: 'Source maps' });
      const [below, root] = [world().url, new URL(world().url).origin];
      const tools = [
        ['sentry-cli', `SENTRY_URL='${root}'`, 'The tool accepts no address below a path'],
        ['sentry', `SENTRY_URL='${below}'`, null],
        ['Vite', `url: '${below}'`, 'Versions before 11 of this plugin'],
        ['webpack', `url: '${below}'`, 'Versions before 11 of this plugin'],
        ['Rollup', `url: '${root}'`, 'This runs sentry-cli, which accepts no address below a path'],
        ['esbuild', `url: '${root}'`, 'This runs sentry-cli, which accepts no address below a path'],
        ['Gradle (Android)', `url.set("${root}")`, 'This runs sentry-cli, which accepts no address below a path'],
        ['R8 mapping', `SENTRY_URL='${root}'`, 'This runs sentry-cli, which accepts no address below a path'],
      ] as const;
      for (const [tool, line, note] of tools) {
        await card.getByRole('tab', { name: tool, exact: true }).click();
        await card.getByRole('group', { name: 'Lines', exact: true }).waitFor();
        const text = (await card.getByRole('tabpanel').innerText()).replaceAll(/\s+/g, ' ');
        assert.ok(text.includes(line), `${tool}: ${text}`);
        assert.ok(note === null ? !text.includes('sentry-cli') : text.includes(note), `${tool}: ${text}`);
        const forwards = text.includes('location /api/0/ { proxy_pass http://errgate; }');
        assert.equal(forwards, !line.includes(below), tool);
      }
      await card.getByRole('tab', { name: 'sentry-cli', exact: true }).click();
      await assertLooks(page, 'set-up-below-path', { fullPage: true });
      await page.goto(at(`${world().list}/uploads`));
      await sees(page, 'The reverse proxy has to pass one more path on');
      const commands = await page.getByRole('group', { name: 'Commands' }).innerText();
      assert.ok(commands.includes(`SENTRY_URL='${root}'`), commands);
      await assertLooks(page, 'uploads/empty-below-path', { fullPage: true });
    });
  },
  { subPath: '/errgate' },
);
