import { failedMail } from './mail-result.ts';
import type { MailServer } from './mail-server.ts';
import { mailTransport, MAIL_TIMEOUTS } from './mail-transport.ts';

/** Milliseconds of the check; shorter than for a mail, because a person waits. */
const TIMEOUTS = { ...MAIL_TIMEOUTS, setUpMs: 5000, idleMs: 5000 };

/**
 * Connects to the mail server, greets it, changes to TLS and signs in as for a mail, but sends none. Returns the
 * problem as a sentence, without the password; null: none.
 */
export async function mailProblem(server: MailServer): Promise<string | null> {
  const transport = mailTransport(server, TIMEOUTS);
  try {
    await transport.verify();
    return null;
  } catch (error) {
    return failedMail(error, [server.login?.password ?? '']).answer;
  } finally {
    transport.close();
  }
}
