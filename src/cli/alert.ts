import { InvalidArgumentError, type Command } from 'commander';
import type { AlertChannel } from '../domain/alerts/alert-channel.ts';
import type { Delivery } from '../domain/alerts/alert-delivery.ts';
import { AppError } from '../domain/app-error.ts';
import type { AlertSetup } from '../domain/ports/alert-setup.ts';
import { systemClock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import { endWith, EXIT } from './call/invocation.ts';
import { findProject, findUser } from './call/lookup.ts';
import { reference, withOperands } from './call/operands.ts';
import { printJson, printLine, printList, timeText } from './call/output.ts';
import { externalUrl, type Session, withStore } from './people/session.ts';

const PROJECT = reference('id or path');
/** Deliveries that are listed by default and at most. */
const DEFAULT_LISTED = 20;
const MAX_LISTED = 100;

interface JsonOption {
  readonly json?: boolean;
}

interface TestOptions extends JsonOption {
  readonly channel?: number;
  readonly user?: string;
}

/** Assembles the use cases of alerts, as the service does; the command itself sends. */
async function setupOf({ config, dataDir, store }: Session): Promise<AlertSetup> {
  const { createAlertSetup } = await import('../alerts/alert-setup.ts');
  const { createUnsubscribeLinks } = await import('../auth/unsubscribe-links.ts');
  const { composeAlertSender } = await import('../compose/alert-sender.ts');
  const { createLogger } = await import('../observability/logger.ts');
  const { openChannelSecrets } = await import('../thirdparty/secrets/channel-secrets.ts');
  const { createTokenCipher } = await import('../thirdparty/secrets/encrypted-token.ts');
  const { readKeyRing } = await import('../thirdparty/secrets/key-ring.ts');
  const { createUrlGuard } = await import('../thirdparty/guard/url-guard.ts');
  const keys = () => readKeyRing({ ...config, dataDir });
  const cipher = createTokenCipher(keys, 'alert channel');
  const address = await externalUrl(config);
  const parts = { clock: systemClock, externalUrl: () => address };
  const links = createUnsubscribeLinks({ ...parts, keys });
  return createAlertSetup({
    ...parts,
    store,
    sender: composeAlertSender(config, { ...parts, guard: createUrlGuard(config.outbound), links }),
    open: (channel) => openChannelSecrets(cipher, channel),
    // Tests and repeats name no present state of errors.
    tracked: () => Promise.resolve(null),
    logger: createLogger(config.log),
  });
}

function deliveryJson({ id, destination, name, state, attempts, answer, at, message }: Delivery) {
  return { id, destination, name, kind: message.kind, state, attempts, answer, at: timeText(at) };
}

/** Prints what became of messages; ends with 1 if one failed. */
function printDeliveries(deliveries: readonly Delivery[], { json }: JsonOption): void {
  if (json === true) printJson(deliveries.map(deliveryJson));
  for (const { name, state, answer } of json === true ? [] : deliveries) printLine(`${name}: ${state}: ${answer}`);
  if (deliveries.some(({ state }) => state !== 'sent')) endWith(EXIT.failed);
}

/** Returns the channels to test: the given one, else all of the project. Throws `not_found` for none. */
async function testedChannels(store: Store, projectId: number, wanted: number | undefined): Promise<AlertChannel[]> {
  const channels = await store.listChannels(projectId);
  const chosen = wanted === undefined ? channels : channels.filter(({ id }) => id === wanted);
  if (chosen.length > 0) return chosen;
  throw new AppError(
    'not_found',
    wanted === undefined
      ? 'the project has no alert channel; `--user NAME` tests the mail to a person'
      : `the project has no alert channel ${wanted}; \`errgate alert list\` shows them`,
  );
}

async function testAlerts(projectReference: string, options: TestOptions): Promise<void> {
  await withStore(async (session) => {
    const { store } = session;
    const project = await findProject(store, projectReference);
    const setup = await setupOf(session);
    if (options.user !== undefined) {
      const { id } = await findUser(store, options.user);
      printDeliveries([await setup.testPerson(id)], options);
      return;
    }
    const deliveries: Delivery[] = [];
    for (const { id } of await testedChannels(store, project.id, options.channel)) {
      const delivery = await setup.testChannel(project.id, id);
      if (delivery !== null) deliveries.push(delivery);
    }
    printDeliveries(deliveries, options);
  });
}

async function listChannels({ json }: JsonOption): Promise<void> {
  const rows = await withStore(async (session) => {
    const { store } = session;
    const channels = await store.listChannels(null);
    const setup = await setupOf(session);
    const projects = new Map((await store.listProjects()).map(({ id, path }) => [id, path]));
    const outlooks = (
      await Promise.all([...new Set(channels.map(({ projectId }) => projectId))].map((id) => setup.outlook(id)))
    ).flat();
    return channels.map(({ id, projectId, type, name, host, enabled, disabledReason }) => {
      const outlook = outlooks.find(({ destination }) => destination === `channel:${id}`);
      return {
        ...{ id, project: projects.get(projectId) ?? String(projectId), type, name, host, enabled },
        disabled_reason: disabledReason,
        state: outlook?.state ?? 'idle',
        reason: outlook?.reason ?? '',
        last_sent_at: timeText(outlook?.lastSentAt ?? null),
        last_answer: outlook?.lastAnswer ?? null,
      };
    });
  });
  const head = ['id', 'project', 'type', 'name', 'host', 'enabled', 'state', 'last sent', 'reason'];
  printList(rows, json, head, (row) => [
    ...[row.id, row.project, row.type, row.name, row.host, row.enabled, row.state, row.last_sent_at],
    row.disabled_reason ?? row.reason,
  ]);
}

async function listDeliveries(projectReference: string, options: JsonOption & { limit: number }): Promise<void> {
  const deliveries = await withStore(async ({ store }) => {
    const { id } = await findProject(store, projectReference);
    return store.listDeliveries({ projectId: id, destination: null, limit: options.limit, after: null });
  });
  const head = ['id', 'at', 'to', 'kind', 'state', 'attempts', 'answer'];
  printList(deliveries.map(deliveryJson), options.json, head, (row) => [
    ...[row.id, row.at, row.name, row.kind, row.state, row.attempts, row.answer],
  ]);
}

async function resend(projectReference: string, deliveryId: string, options: JsonOption): Promise<void> {
  await withStore(async (session) => {
    const project = await findProject(session.store, projectReference);
    const delivery = await (await setupOf(session)).sendAgain(project.id, deliveryId);
    if (delivery === null) {
      throw new AppError('not_found', `${project.path} has no message ${deliveryId}; see \`errgate alert deliveries\``);
    }
    printDeliveries([delivery], options);
  });
}

/** Parses a whole number from 1 to `max`. */
function wholeNumber(max: number): (text: string) => number {
  return (text) => {
    const number = /^\d{1,15}$/.test(text) ? Number(text) : 0;
    if (number < 1 || number > max) throw new InvalidArgumentError(`Use a whole number from 1 to ${max}.`);
    return number;
  };
}

export function addAlertCommands(program: Command): void {
  const alert = program.command('alert').description('messages about errors to people and channels');

  withOperands(
    alert
      .command('test')
      .description('send a test message to every channel of a project at once; exit code 1 if one is not taken')
      .option('--channel <id>', 'only to this channel', wholeNumber(Number.MAX_SAFE_INTEGER))
      .option('--user <user>', 'by mail to this user instead')
      .option('--json', 'print JSON'),
    { project: PROJECT },
    ({ project }, options: TestOptions) => testAlerts(project, options),
  );

  alert
    .command('list')
    .description('list the channels of all projects, and what they wait for')
    .option('--json', 'print JSON')
    .action(listChannels);

  withOperands(
    alert
      .command('deliveries')
      .description('list what became of the newest messages of a project')
      .option('--limit <n>', `maximum number, up to ${MAX_LISTED}`, wholeNumber(MAX_LISTED), DEFAULT_LISTED)
      .option('--json', 'print JSON'),
    { project: PROJECT },
    ({ project }, options: JsonOption & { limit: number }) => listDeliveries(project, options),
  );

  withOperands(
    alert
      .command('resend')
      .description('send a failed message again, with the same id and content')
      .option('--json', 'print JSON'),
    { project: PROJECT, delivery: reference('id of the message') },
    ({ project, delivery }, options: JsonOption) => resend(project, delivery, options),
  );
}
