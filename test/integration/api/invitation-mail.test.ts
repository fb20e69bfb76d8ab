import assert from 'node:assert/strict';
import { composeInvitations } from '../../../src/compose/invitations.ts';
import type { Project } from '../../../src/domain/projects/project.ts';
import { startApp, type RunningApp } from '../../support/app.ts';
import { givenMember, givenProject, type Person } from '../../support/factories.ts';
import { smtpError, startMailServer } from '../../support/mail-server.ts';
import { SQLITE } from '../../support/test-stores.ts';

describe('mails of invitations', () => {
  let app: RunningApp;
  let project: Project;
  let owner: Person;
  let mail: Awaited<ReturnType<typeof startMailServer>>;
  let refused: string | null;

  before(async () => {
    app = await startApp(SQLITE);
    mail = await startMailServer({
      hideSTARTTLS: true,
      onRcptTo({ address }, _session, done) {
        done(address === refused ? smtpError(550, `no mailbox ${address}`) : undefined);
      },
    });
    const { store, clock } = app;
    const { auditTrail } = app.deps;
    const url = `smtp://127.0.0.1:${mail.port}`;
    const config = { mail: { url, from: null, name: null }, invitations: { days: 3 }, passwordSignIn: true };
    app.deps.invitations = composeInvitations(config, {
      store,
      auditTrail,
      clock,
      externalUrl: () => 'https://errors.example.test',
    });
  });
  after(async () => {
    await mail.close();
    await app.close();
  });
  beforeEach(async () => {
    mail.mails.length = 0;
    refused = null;
    project = await givenProject(app.store, { path: `shop/cart${app.clock.at}` });
    app.clock.at += 1000;
    owner = await givenMember(app.store, project, 'owner');
  });

  const invite = (email: string) =>
    app.ask('POST', `/api/v4/projects/${project.id}/invitations`, {
      ...{ token: owner.token, body: { email, access_level: 40 } },
    });
  /** Returns the parts of the only mail, decoded. */
  function parts(): { raw: string; text: string; html: string } {
    assert.equal(mail.mails.length, 1);
    const raw = mail.mails[0]!.raw.replace(/\r\n[ \t]+/g, ' ');
    const bodyOf = (type: string) => {
      const [, head = '', body = ''] =
        new RegExp(`Content-Type: ${type}(.*?)\\r\\n\\r\\n(.*?)\\r\\n----_`, 's').exec(mail.mails[0]!.raw) ?? [];
      if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
      const joined = body.replace(/=\r\n/g, '');
      return Buffer.from(
        joined.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        'latin1',
      ).toString('utf8');
    };
    return { raw, text: bodyOf('text/plain'), html: bodyOf('text/html') };
  }

  it('have the link, the role, who invites and until when, as text and as HTML', async () => {
    await app.store.updateUser(owner.user.id, { name: 'Ada Lovelace' });
    assert.deepEqual((await invite('grace@shop.test')).json(), { status: 'success' });
    const { raw, text, html } = parts();
    for (const header of [
      /^From: errgate <errgate@errors\.example\.test>\r$/m,
      /^To: grace@shop\.test\r$/m,
      /^Subject: Invitation to shop\/cart\d+\r$/m,
      /^Message-ID: <invitation-\d+-\d+@errors\.example\.test>\r$/m,
      /^Auto-Submitted: auto-generated\r$/m,
      /^X-Auto-Response-Suppress: All\r$/m,
    ]) {
      assert.match(raw, header);
    }
    const [link = ''] = /https:\/\/errors\.example\.test\/-\/invitations\/[\w-]{43}/.exec(text) ?? [];
    assert.match(text, /Ada Lovelace invites you to shop\/cart\d+ in errgate, as Maintainer\./);
    assert.match(text, /The link works once, until 2026-01-18 12:00 UTC\./);
    assert.match(text, /Ignore it if you did not expect it\./);
    assert.ok(link !== '' && html.includes(`href="${link}"`));
    const token = link.split('/').at(-1);
    const read = await app.ask('POST', '/-/invitation', { body: { token } });
    assert.equal(read.json().state, 'open');
  });

  it('make nothing of a hostile name: no markup, no link, no further header', async () => {
    const name = 'Win at https://evil.example.com <a href="https://evil.example.com">\u202e now';
    await app.store.updateUser(owner.user.id, { name });
    await invite('grace@shop.test');
    const { text, html, raw } = parts();
    assert.doesNotMatch(html, /<a href="https:\/\/evil|\u202e/);
    assert.doesNotMatch(text, /https:\/\/evil|\u202e/);
    assert.doesNotMatch(raw, /^Subject:.*evil/m);
  });

  it('that the server refuses are reported without the address', async () => {
    refused = 'nobody@shop.test';
    const answer = (await invite('nobody@shop.test,grace@shop.test')).json();
    assert.equal(answer.status, 'error');
    assert.deepEqual(Object.keys(answer.message), ['nobody@shop.test']);
    assert.match(answer.message['nobody@shop.test'], /^The mail was not sent, .*550 no mailbox \[address\]/);
    assert.deepEqual(
      mail.mails.map(({ to }) => to),
      [['grace@shop.test']],
    );
  });
});
