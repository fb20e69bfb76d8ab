import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import type { SMTPServerOptions } from 'smtp-server';
import { composeMail } from '../../../src/alerts/mail/mail-message.ts';
import type { MailServer } from '../../../src/alerts/mail/mail-server.ts';
import { createSendMail, type MailClientOptions } from '../../../src/alerts/mail/send-mail.ts';
import type { AlertMessage } from '../../../src/domain/alerts/alert-message.ts';
import type { Recipient } from '../../../src/domain/ports/alert-sender.ts';
import { alertMessage, EXTERNAL_URL, floodMessage } from '../../support/alert-messages.ts';
import { channel, firstAttempt, testSender } from '../../support/alert-sender-world.ts';
import { AUTHORITY, serverAt, smtpError, startMailServer } from '../../support/mail-server.ts';

const ADA: Recipient = { kind: 'person', userId: 7, name: 'Ada', email: 'ada@example.com' };
const QUICK = { setUpMs: 1000, idleMs: 500, totalMs: 5000 };

describe('mail', () => {
  const open: (() => Promise<void> | void)[] = [];
  afterEach(async () => {
    for (const close of open.splice(0)) await close();
  });

  async function server(options: SMTPServerOptions = {}) {
    const started = await startMailServer(options);
    open.push(started.close);
    return started;
  }

  /** Server that speaks by itself, for what a mail server does not do on purpose. */
  async function rawServer(speak: (socket: Socket) => void): Promise<number> {
    const sockets: Socket[] = [];
    const raw = createServer((socket) => {
      sockets.push(socket);
      socket.on('error', () => undefined);
      speak(socket);
    });
    open.push(() => {
      for (const socket of sockets) socket.destroy();
      raw.close();
    });
    await once(raw.listen(0, '127.0.0.1'), 'listening');
    return (raw.address() as AddressInfo).port;
  }

  function send(
    at: MailServer,
    {
      to = ADA,
      message = alertMessage(),
      signal = firstAttempt.signal,
      ...options
    }: {
      to?: Recipient;
      message?: AlertMessage;
      signal?: AbortSignal;
    } & MailClientOptions = {},
  ) {
    const client = createSendMail(at, { authorities: AUTHORITY, ...options });
    return testSender({ mail: { server: at, send: client } }).send(to, message, { mayRepeat: false, signal });
  }

  it('arrives with the headers of mails that programs send', async () => {
    const { port, mails } = await server();
    const result = await send(serverAt(port));
    assert.equal(result.outcome, 'sent', result.answer);
    const [mail] = mails;
    assert.deepEqual(
      [mail!.from, mail!.to, mail!.name],
      ['errgate@errors.example.com', ['ada@example.com'], 'errors.example.com'],
    );
    const raw = mail!.raw.replace(/\r\n[ \t]+/g, ' ');
    for (const header of [
      /^From: errgate <errgate@errors\.example\.com>\r$/m,
      /^Subject: \[shop\/cart\] New error: TypeError: Cannot read properties of undefined \(reading 'total'\)\r$/m,
      /^Message-ID: <msg_01k0000000000000000000abcd@errors\.example\.com>\r$/m,
      /^References: <error-3-17@errors\.example\.com>\r$/m,
      /^List-I[Dd]: Alerts of shop\/cart <cart\.shop\.alerts\.errors\.example\.com>\r$/m,
      /^List-Unsubscribe: <https:\/\/errors\.example\.com\/-\/alerts\/unsubscribe\?token=7-3\.[\w-]{22}>\r$/m,
      /^List-Unsubscribe-Post: List-Unsubscribe=One-Click\r$/m,
      /^Auto-Submitted: auto-generated\r$/m,
      /^X-Auto-Response-Suppress: All\r$/m,
      /^Date: Tue, 24 Nov 2026 04:19:30 \+0000\r$/m,
    ]) {
      assert.match(raw, header);
    }
    assert.match(raw, /Content-Type: text\/plain/);
    assert.match(raw, /Content-Type: text\/html/);
  });

  it('has the same id and subject in every attempt, and names the number in words', async () => {
    const { port, mails } = await server();
    for (let attempt = 0; attempt < 2; attempt += 1) await send(serverAt(port), { message: floodMessage() });
    const subjects = mails.map(({ raw }) => /^Subject: .*$/m.exec(raw)?.[0]);
    assert.deepEqual(subjects, Array(2).fill('Subject: 1,000 new errors in shop/cart (cart@2.4.1)\r'.trimEnd()));
    assert.equal(new Set(mails.map(({ raw }) => /^Message-ID: .*$/m.exec(raw)?.[0])).size, 1);
  });

  it('goes to every address of a channel, without a link to unsubscribe', async () => {
    const { port, mails } = await server();
    const result = await send(serverAt(port), { to: channel('mail', 'ops@example.com,dev@example.org') });
    assert.equal(result.outcome, 'sent');
    assert.deepEqual(
      mails.map(({ to }) => to),
      [['ops@example.com', 'dev@example.org']],
    );
    assert.doesNotMatch(mails[0]!.raw, /unsubscribe/i);
  });

  it('is encrypted where the server offers it, and logs in', async () => {
    const { port, mails } = await server({
      onAuth: ({ username, password }, session, done) =>
        password === 'p@ss' && session.secure ? done(null, { user: username }) : done(smtpError(535, 'no')),
    });
    const login = { user: 'errgate', password: 'p@ss' };
    const result = await send(serverAt(port, { requireTls: true, login }));
    assert.equal(result.outcome, 'sent', result.answer);
    assert.deepEqual(
      mails.map(({ tls, user }) => [tls, user]),
      [[true, 'errgate']],
    );
  });

  it('goes over TLS from the start with smtps', async () => {
    const { port, mails } = await server({ secure: true });
    assert.equal((await send(serverAt(port, { secure: true }))).outcome, 'sent');
    assert.equal(mails[0]!.tls, true);
  });

  it('is not sent, nor the password, where TLS is required and not offered', async () => {
    const { port, mails } = await server({
      disabledCommands: ['STARTTLS'],
      onAuth: () => assert.fail('the password was sent'),
    });
    const result = await send(serverAt(port, { requireTls: true, login: { user: 'u', password: 'hunter2' } }));
    assert.equal(result.outcome, 'retry');
    assert.match(result.answer, /TLS/);
    assert.deepEqual(mails, []);
  });

  it('is not sent to a server whose certificate is not trusted', async () => {
    const { port, mails } = await server();
    const at = serverAt(port);
    const client = createSendMail(at);
    const result = await testSender({ mail: { server: at, send: client } }).send(ADA, alertMessage(), firstAttempt);
    assert.equal(result.outcome, 'retry');
    assert.match(result.answer, /valid TLS/);
    assert.deepEqual(mails, []);
  });

  it('is sent again after greylisting', async () => {
    let asked = 0;
    const { port, mails } = await server({
      onRcptTo(_address, _session, done) {
        asked += 1;
        done(asked === 1 ? smtpError(451, '4.7.1 <ada@example.com> greylisted, try again later') : null);
      },
    });
    const first = await send(serverAt(port));
    assert.equal(first.outcome, 'retry');
    assert.match(first.answer, /451 .*greylisted/);
    assert.doesNotMatch(first.answer, /ada@/);
    assert.equal((await send(serverAt(port))).outcome, 'sent');
    assert.equal(mails.length, 1);
  });

  for (const [where, options] of [
    ['the sender', { onMailFrom: (_address, _session, done) => done(smtpError(553, '5.7.1 sender not allowed')) }],
    [
      'the recipient',
      { onRcptTo: ({ address }, _session, done) => done(smtpError(550, `5.1.1 <${address}>: unknown`)) },
    ],
    [
      'the content',
      { onData: (stream, _session, done) => void stream.resume().on('end', () => done(smtpError(554, '5.6.0 spam'))) },
    ],
  ] satisfies (readonly [string, SMTPServerOptions])[]) {
    it(`is refused when the server refuses ${where}`, async () => {
      const { port } = await server(options);
      const result = await send(serverAt(port));
      assert.equal(result.outcome, 'refused', result.answer);
      assert.match(result.answer, /55\d 5\./);
      assert.doesNotMatch(result.answer, /ada@|errgate@/);
    });
  }

  it('waits for an operator when the login is refused', async () => {
    const { port } = await server({ onAuth: (_auth, _session, done) => done(smtpError(535, '5.7.8 not hunter2')) });
    const result = await send(serverAt(port, { login: { user: 'u', password: 'hunter2' } }));
    assert.equal(result.outcome, 'retry');
    assert.match(result.answer, /refused the login; check .*ERRGATE_MAIL_URL/);
    assert.doesNotMatch(result.answer, /hunter2/);
  });

  it('counts as sent for the addresses that were taken, unless others may be taken later', async () => {
    const refusing = (status: number): SMTPServerOptions => ({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('bad') ? smtpError(status, 'no') : null),
    });
    const to = channel('mail', 'ops@example.com,bad@example.com');
    const never = await send(serverAt((await server(refusing(550))).port), { to });
    assert.equal(never.outcome, 'sent');
    assert.match(never.answer, /taken for 1 of 2 addresses/);
    const later = await send(serverAt((await server(refusing(450))).port), { to });
    assert.equal(later.outcome, 'retry');
  });

  it('is repeated only to the addresses that have not taken it', async () => {
    let status = 450;
    const { port, mails } = await server({
      onRcptTo: ({ address }, _session, done) => done(address.startsWith('full') ? smtpError(status, 'no') : null),
    });
    const at = serverAt(port);
    const sender = testSender({ mail: { server: at, send: createSendMail(at, { authorities: AUTHORITY }) } });
    const to = channel('mail', 'ops@example.com,full@example.com');
    const message = alertMessage();
    const attempt = () => sender.send(to, message, { mayRepeat: true, signal: firstAttempt.signal });
    assert.equal((await attempt()).outcome, 'retry');
    assert.equal((await attempt()).outcome, 'retry');
    assert.deepEqual(
      mails.map((mail) => mail.to),
      [['ops@example.com']],
    );
    status = 550;
    const refused = await attempt();
    assert.equal(refused.outcome, 'sent');
    assert.match(refused.answer, /^taken for 1 of 2 addresses; .*550/);
    assert.equal(mails.length, 1);
  });

  it('gives up on a server that hangs before it greets, or in the middle of DATA', async () => {
    const silent = await rawServer(() => undefined);
    const hanging = await rawServer((socket) => {
      socket.write('220 mail.example.com\r\n');
      socket.on('data', (data) => {
        const command = data.toString();
        if (command.startsWith('EHLO')) socket.write('250 mail.example.com\r\n');
        else if (command.startsWith('DATA')) socket.write('354 go on\r\n').valueOf() && socket.pause();
        else if (/^(MAIL|RCPT)/.test(command)) socket.write('250 ok\r\n');
      });
    });
    for (const port of [silent, hanging]) {
      const result = await send(serverAt(port, { host: '127.0.0.1' }), { timeouts: QUICK });
      assert.equal(result.outcome, 'retry');
      assert.match(result.answer, /did not answer in time/);
    }
  });

  it('gives up on a server that is slow for ever, and when errgate stops', async () => {
    const port = await rawServer((socket) => {
      const timer = setInterval(() => socket.write('220-still here\r\n'), 50);
      socket.on('close', () => clearInterval(timer));
    });
    const at = serverAt(port, { host: '127.0.0.1' });
    const slow = await send(at, { timeouts: { setUpMs: 60_000, idleMs: 60_000, totalMs: 400 } });
    assert.equal(slow.outcome, 'retry');
    const stop = new AbortController();
    const stopped = send(at, { signal: stop.signal });
    stop.abort();
    assert.equal((await stopped).outcome, 'retry');
  });

  it('says that the name of the server is unknown, or that nothing listens', async () => {
    const unknown = await send(serverAt(25, { host: 'mail.invalid' }), { timeouts: QUICK });
    assert.equal(unknown.outcome, 'retry');
    assert.match(unknown.answer, /cannot be resolved/);
    const { port, close } = await startMailServer();
    await close();
    const closed = await send(serverAt(port));
    assert.equal(closed.outcome, 'retry');
    assert.match(closed.answer, /ECONNREFUSED/);
  });

  it('waits while mail is not configured', async () => {
    const result = await testSender().send(ADA, alertMessage(), firstAttempt);
    assert.equal(result.outcome, 'retry');
    assert.match(result.answer, /ERRGATE_MAIL_URL/);
    assert.equal(testSender().mail, null);
  });

  it('adds up the projects of a person', () => {
    const [part] = floodMessage().parts;
    const parts = ['shop/cart', 'shop/stock', 'shop/web'].map((path, id) => ({
      ...part!,
      project: { id, path, name: path },
    }));
    const mail = composeMail(
      alertMessage({ parts }),
      { to: ['ada@example.com'], unsubscribeUrl: `${EXTERNAL_URL}/x` },
      { domain: 'errors.example.com' },
    );
    assert.equal(mail.subject, '3,000 new errors in 3 projects');
    assert.match(mail.text, /^3,000 new errors in 3 projects$/m);
    for (const path of ['shop/cart', 'shop/stock', 'shop/web']) {
      assert.match(mail.text, new RegExp(`^1,000 new errors in ${path}$`, 'm'));
      assert.ok(mail.html.includes(`1,000 new errors in ${path}`));
    }
    assert.equal(mail.headers['List-Id'], 'Alerts of errgate <alerts.errors.example.com>');
    assert.equal(mail.references, undefined);
  });
});
