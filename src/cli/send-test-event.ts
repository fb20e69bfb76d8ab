import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { AppError } from '../domain/app-error.ts';
import { buildDsn, parseTargetDsn, type TargetDsn } from '../domain/projects/dsn.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Project } from '../domain/projects/project.ts';
import type { ErrorQuery } from '../domain/search/error-query.ts';
import { systemClock } from '../domain/ports/clock.ts';
import { type ErrorEvent, errorEvent } from '../thirdparty/own-errors/error-event.ts';
import { type EventAnswer, sendEvent } from '../thirdparty/own-errors/event-client.ts';
import { findProject } from './call/lookup.ts';
import { missingStore } from './data-dir/missing-store.ts';
import { printLine } from './call/output.ts';
import { dataDirOf, externalUrl, readConfig, type Session, withStore } from './people/session.ts';
import { packageVersion } from './version.ts';

/** Milliseconds until the event must be accepted. */
const SEND_MS = 10_000;
/** Milliseconds until a stored event must be readable. */
const READABLE_MS = 15_000;

interface Options {
  readonly project?: string;
  readonly dsn?: string;
}

/** The newest errors: the one just sent is among them. */
const NEWEST: ErrorQuery = {
  status: 'all',
  search: null,
  sort: 'last_seen',
  environment: null,
  release: null,
  level: null,
  limit: 20,
  cursor: null,
};

interface Target {
  readonly dsn: string;
  /** Null when the DSN is not one of this installation. */
  readonly project: Project | null;
}

/** Finds the target: the given project, or the first one with an active key. */
async function findTarget({ config, store }: Session, reference: string | undefined): Promise<Target> {
  const projects = reference === undefined ? await store.listProjects() : [await findProject(store, reference)];
  for (const project of projects) {
    const key = (await store.listKeys(project.id)).find((one) => one.active);
    if (key !== undefined) return { dsn: buildDsn(await externalUrl(config), key.publicKey, project.id), project };
  }
  throw new AppError('not_found', 'there is no active client key; `errgate key create <project>` creates one');
}

async function projectOfDsn(store: Store, dsn: string): Promise<Project | null> {
  const key = URL.canParse(dsn) ? await store.keyByPublicKey(new URL(dsn).username) : null;
  return key === null ? null : store.projectById(key.projectId);
}

/** Sends as an SDK does. Returns the event's id once the address has answered 2xx. */
async function send(text: string): Promise<string> {
  const dsn = parseTargetDsn(text);
  if (dsn === null) {
    throw new AppError('invalid_parameter', 'SDKs do not accept this DSN; `errgate key list` shows the right ones');
  }
  const error = new Error('sent by errgate send-test-event: everything works');
  error.name = 'TestEvent';
  const event = errorEvent(error, { version: packageVersion(), environment: 'test' });
  const answer = await answered(dsn, event);
  if (answer.status >= 200 && answer.status < 300) return event.event_id;
  throw notAccepted(refusal(answer.status));
}

async function answered(dsn: TargetDsn, event: ErrorEvent): Promise<EventAnswer> {
  try {
    return await sendEvent(dsn, event, {}, SEND_MS);
  } catch (error) {
    throw notAccepted(
      error instanceof DOMException && error.name === 'TimeoutError'
        ? `no answer within ${SEND_MS / 1000} s`
        : 'nothing answered at the address of the DSN; is `errgate serve` running, and is ERRGATE_EXTERNAL_URL right?',
    );
  }
}

function notAccepted(reason: string): AppError {
  return new AppError('bad_request', `the event was not accepted: ${reason}`);
}

function refusal(status: number): string {
  if (status === 401 || status === 403) {
    return `HTTP ${status}; check that the key is active and error tracking is on: \`errgate settings show\``;
  }
  if (status >= 300 && status < 400) {
    return `HTTP ${status}, a redirect, which SDKs do not follow; is ERRGATE_EXTERNAL_URL right?`;
  }
  return `HTTP ${status}; \`errgate doctor\` may show why`;
}

/** The number of the error that holds the event; null when it did not become readable in time. */
async function awaitReadable(store: Store, project: Project, eventId: string): Promise<string | null> {
  const deadline = performance.now() + READABLE_MS;
  while (performance.now() < deadline) {
    const { items } = await store.listErrors(project.id, NEWEST, systemClock.now());
    for (const error of items) {
      if ((await store.event(project.id, error.id, eventId)) !== null) return error.id;
    }
    await delay(100);
  }
  return null;
}

async function sendAndRead(session: Session, { dsn, project }: Target): Promise<void> {
  const eventId = await send(dsn);
  printLine(`accepted: event ${eventId}`);
  if (project === null) {
    printLine('the DSN is not one of this installation: look for the event there');
    return;
  }
  const errorId = await awaitReadable(session.store, project, eventId);
  if (errorId === null) {
    throw new AppError('internal', `the event was not readable after ${READABLE_MS / 1000} s; see \`errgate doctor\``);
  }
  const url = await externalUrl(session.config);
  printLine(`readable: error ${errorId} of ${project.path}`);
  printLine('open it in the browser:');
  printLine(`  ${url}/${project.path}/-/error_tracking/${errorId}/details`);
  printLine('or read it with a token in the header PRIVATE-TOKEN:');
  printLine(`  ${url}/api/v4/projects/${project.id}/error_tracking/errors/${errorId}`);
}

async function sendTestEvent({ project, dsn }: Options): Promise<void> {
  // With a DSN the command works on any machine, also where there is no store to read in.
  if (dsn !== undefined) {
    const config = await readConfig();
    if ((await missingStore(config, dataDirOf(config))) !== null) {
      printLine(`accepted: event ${await send(dsn)}`);
      return;
    }
  }
  await withStore(async (session) => {
    const target =
      dsn === undefined ? await findTarget(session, project) : { dsn, project: await projectOfDsn(session.store, dsn) };
    await sendAndRead(session, target);
  });
}

export function addSendTestEventCommand(program: Command): void {
  program
    .command('send-test-event')
    .description('send an event as an SDK does and wait until it can be read')
    .option('--project <project>', 'id or path (default: the first project with an active key)')
    .option('--dsn <dsn>', 'send to this DSN')
    .action(sendTestEvent);
}
