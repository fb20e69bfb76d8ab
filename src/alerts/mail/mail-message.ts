import type { AlertMessage, ProjectPart } from '../../domain/alerts/alert-message.ts';
import { cutText } from '../../lib/text/clean-text.ts';
import { messageWords } from '../words.ts';
import { mailHtml } from './mail-html.ts';
import type { FooterLine } from './mail-page.ts';
import { mailText } from './mail-text.ts';
import type { MailServer } from './mail-server.ts';

/** Maximum characters of a subject; longer ones are cut by most clients. */
const MAX_SUBJECT = 200;

/** Recipients of one mail. */
export interface MailRecipients {
  readonly to: readonly string[];
  /** Signed link that ends the mails of the list to a person; null: a channel, which a maintainer changes. */
  readonly unsubscribeUrl: string | null;
}

/** A mail without its sender, in the form of nodemailer. */
export interface Mail {
  readonly to: string[];
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  readonly date: Date;
  readonly messageId: string;
  readonly inReplyTo?: string;
  readonly references?: string[];
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes a part of an identifier: letters, digits, `.` and `-`. */
function identifier(text: string): string {
  return text.toLowerCase().replace(/[^a-z0-9.-]+/g, '-');
}

/**
 * Returns the project whose list a mail belongs to; null: the list of all. `List-Id` names it, and what
 * `List-Unsubscribe` ends is that list (RFC 2369, RFC 8058).
 */
export function listOf({ parts }: Pick<AlertMessage, 'parts'>): ProjectPart['project'] | null {
  return parts.length === 1 ? (parts[0]?.project ?? null) : null;
}

/** List of all messages about a project, for filters of mail clients. */
function listId(message: AlertMessage, domain: string): string {
  const path = listOf(message)?.path;
  if (path === undefined) return `Alerts of errgate <alerts.${domain}>`;
  return `Alerts of ${path} <${identifier(path.split('/').reverse().join('.'))}.alerts.${domain}>`;
}

/** Identifier that all mails about one error refer to, so that clients show them as a thread. */
function threadId({ kind, parts }: AlertMessage, domain: string): string | null {
  const [part] = parts;
  if (kind !== 'facts' || parts.length !== 1 || part === undefined) return null;
  const total = Object.values(part.counts).reduce((sum, count) => sum + count, 0);
  const [named] = part.errors;
  return total === 1 && named !== undefined
    ? `<error-${named.error.projectId}-${identifier(named.error.id)}@${domain}>`
    : null;
}

function footerOf({ parts }: AlertMessage, unsubscribeUrl: string | null): FooterLine[] {
  const [only] = parts;
  const projects = parts.length === 1 && only !== undefined ? only.project.path : 'these projects';
  if (unsubscribeUrl === null) {
    const text = `errgate sends this because a mail channel of ${projects} has your address. A maintainer can change it.`;
    return [{ text }];
  }
  const why = parts.length === 0 ? 'you have an account there' : `you are a member of ${projects}`;
  return [{ text: `errgate sends this because ${why}.` }, { text: 'Stop alert mails', url: unsubscribeUrl }];
}

/** Makes the mail of a message, the same for every attempt. */
export function composeMail(
  message: AlertMessage,
  { to, unsubscribeUrl }: MailRecipients,
  { domain }: Pick<MailServer, 'domain'>,
): Mail {
  const words = messageWords(message);
  const footer = footerOf(message, unsubscribeUrl);
  const thread = threadId(message, domain);
  return {
    to: [...to],
    subject: cutText(words.subject, MAX_SUBJECT),
    text: mailText(
      words,
      footer.map(({ text, url }) => (url === undefined ? text : `${text}: ${url}`)),
    ),
    html: mailHtml(words, footer),
    date: new Date(message.createdAt),
    messageId: `<${message.id}@${domain}>`,
    ...(thread === null ? {} : { inReplyTo: thread, references: [thread] }),
    headers: {
      'List-Id': listId(message, domain),
      'Auto-Submitted': 'auto-generated',
      'X-Auto-Response-Suppress': 'All',
      ...(unsubscribeUrl === null
        ? {}
        : { 'List-Unsubscribe': `<${unsubscribeUrl}>`, 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
    },
  };
}
