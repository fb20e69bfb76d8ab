import { type AlertMessage, NO_FACTS, type ProjectPart } from '../../domain/alerts/alert-message.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { AlertLinks } from './links.ts';
import { newMessageId } from '../sending/message-id.ts';

/** Returns a message that a person asked for. `project` null: about no project. */
export function testMessage(project: Project | null, links: AlertLinks, now: number): AlertMessage {
  const parts: ProjectPart[] = project === null ? [] : [emptyPart(project, links.alerts(project))];
  return { id: newMessageId(now), kind: 'test', createdAt: now, since: now, until: now, parts, note: '' };
}

/** Returns a part that reports nothing. */
export function emptyPart({ id, path, name }: Project, url: string): ProjectPart {
  return { project: { id, path, name }, counts: NO_FACTS, release: null, errors: [], url };
}
