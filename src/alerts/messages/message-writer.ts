import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Conversation, Destination } from '../../domain/alerts/alert-delivery.ts';
import type { AlertFact } from '../../domain/alerts/alert-fact.ts';
import type { AlertStore, ErrorState } from '../../domain/ports/stores/alert-store.ts';
import type { Audience, ProjectAudience } from '../routing/audience.ts';
import type { ErrorLookup } from '../routing/error-lookup.ts';
import type { AlertLinks } from './links.ts';
import { MessageDraft, type WrittenMessage } from './message-draft.ts';
import { newMessageId } from '../sending/message-id.ts';
import { routeFact } from '../routing/routing.ts';

/** Facts that are read at a time; between two pages other work of the thread gets its turn. */
const PAGE = 250;

export interface WriterParts {
  readonly store: Pick<AlertStore, 'listFacts'>;
  readonly audience: Audience;
  readonly errors: ErrorLookup;
  readonly links: AlertLinks;
  readonly now: number;
  /** Called after each page; false ends the work without messages. */
  readonly goOn: () => Promise<boolean>;
}

interface Open {
  readonly cursor: number;
  readonly draft: MessageDraft;
}

/**
 * Writes the messages of conversations that are due, from their waiting facts up to a place in the log, in one pass over
 * it. Facts of errors that are resolved, ignored, merged or deleted by now are left out, as are those that the rules of
 * now send elsewhere. Null for a destination: nothing is left. Null: the work was ended.
 */
export async function writeMessages(
  due: readonly Conversation[],
  upTo: number,
  parts: WriterParts,
): Promise<Map<Destination, WrittenMessage | null> | null> {
  const open = new Map<Destination, Open>();
  for (const { destination, cursor } of due) open.set(destination, { cursor, draft: new MessageDraft() });
  let after = Math.min(...due.map(({ cursor }) => cursor));
  while (after < upTo) {
    const facts = await parts.store.listFacts(after, PAGE);
    const last = facts.at(-1);
    if (last === undefined) break;
    await addPage(
      facts.filter(({ seq }) => seq <= upTo),
      open,
      parts,
    );
    after = last.seq;
    if (!(await parts.goOn())) return null;
    await nextTurn();
  }
  const { now, links, errors } = parts;
  const written = new Map<Destination, WrittenMessage | null>();
  for (const [destination, { draft }] of open) {
    const id = newMessageId(now);
    const detail = errors.detail.bind(errors);
    written.set(destination, await draft.write({ id, now, links, detail }));
  }
  return written;
}

async function addPage(facts: readonly AlertFact[], open: ReadonlyMap<Destination, Open>, parts: WriterParts) {
  const { audience, errors, now } = parts;
  const states = new Map<number, Map<string, ErrorState>>();
  for (const projectId of new Set(facts.map((fact) => fact.projectId))) {
    const project = await audience.project(projectId);
    if (project === null || !concerns(project, open)) continue;
    const own = facts.filter((fact) => fact.projectId === projectId);
    states.set(
      projectId,
      await errors.states(
        project,
        own.map(({ errorId }) => errorId),
      ),
    );
  }
  for (const fact of facts) {
    const project = await audience.project(fact.projectId);
    const known = states.get(fact.projectId);
    if (project === null || known === undefined) continue;
    const state = known.get(fact.errorId) ?? null;
    const settled = project.integrated && (state === null || state.merged || state.status !== 'unresolved');
    const { to } = settled ? { to: null } : await routeFact(fact, audience, errors, now);
    for (const destination of destinationsOf(project)) {
      const entry = open.get(destination);
      if (entry === undefined || fact.seq <= entry.cursor) continue;
      if (to?.has(destination) === true) entry.draft.add(fact, state, project);
      else entry.draft.leaveOut();
    }
  }
}

/** All destinations that facts of a project can go to. */
function destinationsOf({ channels, listeners }: ProjectAudience): Destination[] {
  return [
    ...channels.map(({ id }): Destination => `channel:${id}`),
    ...listeners.map(({ user }): Destination => `user:${user.id}`),
  ];
}

function concerns(project: ProjectAudience, open: ReadonlyMap<Destination, Open>): boolean {
  return destinationsOf(project).some((destination) => open.has(destination));
}
