/** Takes the pictures of docs/alerts.md: a mail, and a message in each chat. */
import { chromium } from 'playwright-core';
import { channelRequest, type HttpChannelType } from '../src/alerts/channels/channel-request.ts';
import { composeMail } from '../src/alerts/mail/mail-message.ts';
import { alertMessage, EXTERNAL_URL, floodMessage, presentError, projectPart } from '../test/support/alert-messages.ts';
import { ARGUMENTS, chromiumPath } from '../test/support/browser.ts';
import { discordLook, mattermostLook, slackLook, teamsLook } from '../test/support/chat-looks.ts';
import type { Json } from '../test/support/fake-receivers/receiver.ts';

/** Errors that the pictures show. */
const SHOWN = 3;

const [part] = floodMessage().parts;
if (part === undefined) throw new Error('the sample has no part');
const message = alertMessage({ parts: [projectPart({ ...part, errors: part.errors.slice(0, SHOWN) })] });

function payload(type: HttpChannelType): Json {
  const secrets = { url: 'https://chat.example/hook', secret: null };
  return JSON.parse(
    channelRequest(type, secrets, message, { mayRepeat: false, now: message.createdAt, presentError }).body,
  ) as Json;
}

const mail = composeMail(
  message,
  { to: ['ada@example.com'], unsubscribeUrl: `${EXTERNAL_URL}/-/alerts/unsubscribe?token=7.x` },
  { domain: 'errors.example.com' },
);
const pages = [
  ['mail', mail.html],
  ['slack', slackLook(payload('slack'))],
  ['mattermost', mattermostLook(payload('mattermost'))],
  ['teams', teamsLook(payload('teams'))],
  ['discord', discordLook(payload('discord'))],
] as const;

const executablePath = chromiumPath();
if (executablePath === null) throw new Error('no Chromium: set ERRGATE_TEST_CHROMIUM');
const browser = await chromium.launch({ executablePath, args: ARGUMENTS });
try {
  for (const [name, html] of pages) {
    const page = await browser.newPage({ viewport: { width: 660, height: 200 } });
    await page.setContent(html);
    await page.screenshot({ path: `docs/images/alerts-${name}.png`, fullPage: true });
    await page.close();
  }
} finally {
  await browser.close();
}
