import { Readable } from 'node:stream';
import type { IngestGrant, Intake } from '../../domain/ports/intake.ts';

/** Event with its own kind of error, so that it does not mix with others in the list. */
const TEST_EVENT = {
  level: 'error',
  platform: 'other',
  environment: 'test',
  exception: {
    values: [
      {
        type: 'TestEvent',
        value: 'sent by errgate to try the set-up: everything works',
        stacktrace: {
          frames: [{ filename: 'errgate/test-event', function: 'sendTestEvent', lineno: 1, in_app: true }],
        },
      },
    ],
  },
} as const;

/** Sends an event through the intake like a request of an SDK. Returns its id. Throws the errors of the intake. */
export async function sendTestEvent(intake: Intake, grant: IngestGrant): Promise<string> {
  const opened = await intake.open({
    kind: 'store',
    body: Readable.from([Buffer.from(JSON.stringify(TEST_EVENT))]),
    contentEncoding: undefined,
    contentType: 'application/json',
    clientIp: null,
    client: 'errgate test event',
    grant,
  });
  const { eventId } = await opened.keep(grant);
  if (eventId === null) throw new TypeError('the intake found no event in the test event');
  return eventId;
}
