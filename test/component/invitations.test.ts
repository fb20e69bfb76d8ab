import assert from 'node:assert/strict';
import { describeInDom, sees, type DomPage, type DomWorld } from '../support/dom.ts';

interface Link {
  readonly invite_email: string;
  readonly url: string;
}

/** Invites an address to demo/shop over REST; returns the path of its link. */
async function invited(world: DomWorld, email: string, level = 30): Promise<string> {
  const body = { email, access_level: level };
  const answer = (await world.api('POST', '/projects/demo%2Fshop/invitations', body)) as { links: Link[] };
  return new URL(answer.links[0]!.url).pathname;
}

describeInDom('invitations on the page of members', (world) => {
  async function opened(): Promise<DomPage> {
    const page = await world().page();
    await page.goto('/demo/shop/-/project_members');
    await page.getByRole('heading', { name: 'Invitations' }).waitFor();
    return page;
  }
  const row = (page: DomPage, email: string) => page.locator('tbody tr', { hasText: email });

  it('are made for several addresses, whose links are shown once', async () => {
    const page = await opened();
    await page.getByLabel('E-mail addresses').fill('One@shop.test, two@shop.test\nnot-an-address');
    await page.getByLabel('Role of invited people').selectOption('40');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await sees(page, '2 people invited');
    await sees(page, /not-an-address.*Invite email is invalid/);
    assert.equal(await page.getByLabel('E-mail addresses').inputValue(), 'not-an-address', 'what is left to correct');
    const links = page.locator('.copy-line code');
    assert.equal(await links.count(), 2);
    assert.match(await links.first().textContent(), /\/-\/invitations\/[\w-]{43}$/);
    await row(page, 'one@shop.test').waitFor();
    assert.equal(await page.getByLabel('Role of two@shop.test').inputValue(), '40');
    await page.reload();
    await row(page, 'one@shop.test').getByText('not mailed').waitFor();
    assert.equal(await links.count(), 0);
    assert.equal(await page.getByRole('button', { name: /Send the invitation/ }).count(), 0, 'there is no mail');
  });

  it('are made for all members of the former tracker with one press', async () => {
    const page = await world().page();
    const one = { email: 'former1@shop.test', name: '<b>One</b>', role: 'owner', access_level: 40 };
    const two = { email: 'former2@shop.test', name: null, role: null, access_level: 30 };
    let asked = 0;
    await page.route('**/invitation_suggestions?*', (route) => {
      asked += 1;
      return route.fulfill({ json: asked === 1 ? [one, two] : [] });
    });
    await page.goto('/demo/shop/-/project_members');
    await page.getByText('Show the addresses').click();
    assert.match(await page.locator('.callout li').first().textContent(), /<b>One<\/b>, former1@shop\.test/);
    await page.getByRole('button', { name: 'Invite 2 people' }).click();
    await sees(page, 'The members of the former tracker are invited');
    await page.getByRole('button', { name: 'Invite 2 people' }).waitFor({ state: 'detached' });
    assert.equal(await page.locator('.copy-line code').count(), 2);
    assert.equal(await page.getByLabel('Role of former1@shop.test').inputValue(), '40');
    assert.equal(await page.getByLabel('Role of former2@shop.test').inputValue(), '30');
  });

  it('are made on the page of a group, whose link leads to it', async () => {
    await world().person('gina');
    await world().api('POST', '/groups', { name: 'Team', path: 'invited-team' });
    const page = await world().page();
    await page.goto('/-/groups/invited-team');
    await page.getByLabel('E-mail addresses').fill('gina@shop.test');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    await sees(page, '1 person invited');
    await page.getByLabel('Role of gina@shop.test').selectOption('30');
    await sees(page, 'gina@shop.test will be Developer');
    const link = await page.locator('.copy-line code').textContent();
    const hers = await world().page({ as: 'gina' });
    await hers.goto(new URL(link).pathname);
    await sees(hers, /to this\s+group, as Developer/);
    await hers.getByRole('button', { name: 'Join as gina' }).click();
    await sees(hers, 'You are Developer of invited-team now');
    await hers.getByRole('heading', { name: 'Team' }).waitFor();
  });

  it('get another role or a new link, and are withdrawn', async () => {
    await invited(world(), 'change@shop.test');
    const page = await opened();
    await page.getByLabel('Role of change@shop.test').selectOption('20');
    await sees(page, 'change@shop.test will be Reporter');
    await page.getByRole('button', { name: 'New link for change@shop.test' }).click();
    await sees(page, 'The link of the invitation');
    await page.getByRole('button', { name: 'Withdraw the invitation of change@shop.test' }).click();
    await sees(page, 'The invitation of change@shop.test was withdrawn');
    await row(page, 'change@shop.test').waitFor({ state: 'detached' });
  });

  it('are sent again where mail is configured, and say when that fails or they expired', async () => {
    const page = await world().page();
    const shown = {
      ...{ id: 1, invite_email: 'mail@shop.test', access_level: 30, created_by_name: null, can_be_mailed: true },
      ...{ created_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-01-08T00:00:00.000Z' },
      sent_at: '2026-01-01T00:00:00.000Z',
    };
    await page.route('**/invitations?*', (route) => route.fulfill({ json: [shown] }));
    const message = { 'mail@shop.test': 'The mail was not sent, so send it again, or copy the link: 550 <b>no</b>' };
    await page.route('**/mail', (route) => route.fulfill({ status: 201, json: { status: 'error', message } }));
    await page.goto('/demo/shop/-/project_members');
    await row(page, 'mail@shop.test').getByText('Expired').waitFor();
    await row(page, 'mail@shop.test').getByText('an operator').waitFor();
    await page.getByRole('button', { name: 'Send the invitation of mail@shop.test again' }).click();
    await sees(page, /mail@shop.test: The mail was not sent, .*550 <b>no<\/b>/);
  });
});

describeInDom('the page of an invitation', (world) => {
  it('makes an account, which is signed in and sees the project', async () => {
    const path = await invited(world(), 'grace.h@shop.test');
    const page = await world().page({ stranger: true });
    await page.goto(path);
    await page.getByRole('heading', { name: 'Join demo/shop' }).waitFor();
    await sees(page, /invites grace\.h@shop\.test to this\s+project, as Developer/);
    assert.equal(await page.getByLabel('Username').inputValue(), 'grace.h');
    await page.getByLabel('Name (optional)').fill('Grace Hopper');
    await page.getByLabel('Password', { exact: true }).fill('short');
    await page.getByRole('button', { name: 'Make account and join' }).click();
    await sees(page, /Password is too short/);
    await page.getByLabel('Password', { exact: true }).fill('a password for grace');
    await page.getByRole('button', { name: 'Make account and join' }).click();
    await sees(page, 'You are Developer of demo/shop now');
    await page.waitForURL('**/demo/shop/-/error_tracking');
    await page.goto(path);
    await sees(page, 'This invitation was used');
    await page.getByRole('link', { name: 'Go to your projects' }).waitFor();
  });

  it('leads to the sign-in and back, and asks who joins', async () => {
    await world().person('linus');
    const path = await invited(world(), 'someone@shop.test', 20);
    const page = await world().page({ stranger: true });
    await page.goto(path);
    const link = page.getByRole('link', { name: 'I have an account: sign in' });
    const href = (await link.getAttribute('href')) ?? '';
    assert.equal(new URL(href, 'http://x').searchParams.get('return_to'), path);
    const his = await world().page({ as: 'linus' });
    await his.goto(path);
    await sees(his, /You are signed in as linus,\s+whose account has no e-mail address/);
    await his.getByRole('button', { name: 'Use another account' }).click();
    await his.getByRole('heading', { name: 'New here? Make an account' }).waitFor();
    const again = await world().page({ as: 'linus' });
    await again.goto(path);
    await again.getByRole('button', { name: 'Join as linus' }).click();
    await sees(again, 'You are Reporter of demo/shop now');
  });

  it('says nothing of an address where the account has it', async () => {
    await world().person('emil');
    const path = await invited(world(), 'emil@shop.test');
    const { id } = ((await world().api('GET', '/users?username=emil')) as { id: number }[])[0]!;
    await world().api('PUT', `/users/${id}`, { email: 'Emil@shop.test' });
    const page = await world().page({ as: 'emil' });
    await page.goto(path);
    await page.getByRole('button', { name: 'Join as emil' }).waitFor();
    assert.equal(await page.getByText('You are signed in as').count(), 0);
  });

  it('explains links that give nothing', async () => {
    const page = await world().page({ stranger: true });
    await page.goto(`/-/invitations/${'x'.repeat(43)}`);
    await page.getByRole('heading', { name: 'This link is not valid' }).waitFor();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    for (const [state, title] of [
      ['expired', 'This invitation has expired'],
      ['refused', 'This invitation is not valid any more'],
      ['taking', 'This invitation is being used'],
    ] as const) {
      const other = await world().page({ stranger: true });
      await other.route('**/-/invitation', (route) => route.fulfill({ json: { state, invitation: null } }));
      await other.goto('/-/invitations/abc');
      await other.getByRole('heading', { name: title }).waitFor();
      assert.equal(await other.getByRole('button', { name: 'Try again' }).count(), state === 'taking' ? 1 : 0);
    }
  });
});
