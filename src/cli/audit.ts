import { type Command, InvalidArgumentError } from 'commander';
import { auditTime, type AuditEvent } from '../domain/audit/audit-event.ts';
import { AUDIT_EVENTS, type AuditEventName } from '../domain/audit/audit-events.ts';
import { MAX_AUDIT_EVENTS } from '../domain/ports/stores/audit-store.ts';
import { findProject, findUser } from './call/lookup.ts';
import { printList, timeText } from './call/output.ts';
import { withStore } from './people/session.ts';

const DEFAULT_LISTED = 20;

interface ListOptions {
  readonly project?: string;
  readonly user?: string;
  readonly event?: AuditEventName;
  readonly limit: number;
  readonly json?: boolean;
}

function parseLimit(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number < 1 || number > MAX_AUDIT_EVENTS) {
    throw new InvalidArgumentError(`Use a whole number from 1 to ${MAX_AUDIT_EVENTS}.`);
  }
  return number;
}

function parseEventName(text: string): AuditEventName {
  const known = AUDIT_EVENTS.find((name) => name === text);
  if (known !== undefined) return known;
  throw new InvalidArgumentError(`Use one of ${AUDIT_EVENTS.join(', ')}.`);
}

function eventJson(event: AuditEvent) {
  const { id, outcome, authorId, authorName, address, entityType, entityId, entityPath, details } = event;
  return {
    ...{ id, at: timeText(auditTime(event)), event: event.event, outcome },
    ...{ author_id: authorId, author: authorName, address },
    ...{ entity_type: entityType, entity_id: entityId, entity_path: entityPath },
    ...{ target_type: event.targetType, target_id: event.targetId, target: event.targetName, details },
  };
}

async function listEvents({ project, user, event, limit, json }: ListOptions): Promise<void> {
  const events = await withStore(async ({ store }) => {
    const entity =
      project === undefined ? null : { type: 'Project' as const, id: (await findProject(store, project)).id };
    const authorId = user === undefined ? null : (await findUser(store, user)).id;
    return store.listAuditEvents({
      ...{ entity, authorId, event: event ?? null, outcome: null },
      ...{ from: null, below: null, limit },
    });
  });
  const head = ['at', 'event', 'outcome', 'by', 'from', 'of', 'what'];
  printList(events.map(eventJson), json, head, (row) => [
    ...[row.at, row.event, row.outcome, row.author, row.address, row.entity_path, row.target],
  ]);
}

export function addAuditCommands(program: Command): void {
  program
    .command('audit')
    .description('who changed what')
    .command('list')
    .description('list the newest events of the audit log')
    .option('--project <project>', 'only of this project (path or id)')
    .option('--user <user>', 'only by this user (username or id)')
    .option('--event <name>', 'only of this name, such as member_added', parseEventName)
    .option('--limit <n>', `maximum number, up to ${MAX_AUDIT_EVENTS}`, parseLimit, DEFAULT_LISTED)
    .option('--json', 'print JSON')
    .action((options: ListOptions) => listEvents(options));
}
