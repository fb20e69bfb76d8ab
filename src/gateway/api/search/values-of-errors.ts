import { AppError } from '../../../domain/app-error.ts';
import type { NormalisedEvent } from '../../../domain/event.ts';
import type { ErrorBackend } from '../../../domain/ports/error-backend.ts';
import type { Project } from '../../../domain/project.ts';
import type { SearchCondition } from '../../../domain/search-condition.ts';
import { termSourceOf } from '../../../domain/term-source.ts';
import { MAX_FILTER_VALUES, type ErrorQuery } from '../../../domain/tracked-error.ts';

type Errors = Pick<ErrorBackend, 'list' | 'latestEvent'>;

/** Errors whose latest events are read for suggestions. */
const EVENTS_READ = 20;

const NEWEST: Omit<ErrorQuery, 'limit'> = {
  ...{ status: 'all', search: null, sort: 'last_seen', environment: null, release: null, level: null, cursor: null },
};

function textsOf(key: 'file' | 'function' | 'user', event: NormalisedEvent): readonly (string | null)[] {
  if (key === 'user') {
    const { user } = event;
    return user === null ? [] : [user.email, user.username, user.id, user.ip_address];
  }
  const { files, functions } = termSourceOf(event);
  return key === 'file' ? files : functions;
}

/** Returns the latest event; null when retention removed it, or the error was deleted meanwhile. */
async function latestEvent(errors: Errors, project: Project, errorId: string): Promise<NormalisedEvent | null> {
  try {
    return (await errors.latestEvent(project, errorId)).event as NormalisedEvent;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'events_removed' || error.code === 'not_found')) return null;
    throw error;
  }
}

/**
 * Suggests values of the errors seen last: types of 100, or files, functions and users of the latest events of 20. With
 * a prefix of errors that have such a type, file or function. Values contain the prefix in any case.
 */
export async function valuesOfErrors(
  errors: Errors,
  project: Project,
  key: 'type' | 'file' | 'function' | 'user',
  prefix: string,
): Promise<readonly string[]> {
  const conditions: SearchCondition[] =
    prefix.trim() === '' || key === 'user' ? [] : [{ not: false, field: key, value: prefix, match: 'prefix' }];
  const limit = key === 'type' ? MAX_FILTER_VALUES : EVENTS_READ;
  const { items } = await errors.list(project, { ...NEWEST, limit, conditions });
  const found = new Set<string>();
  for (const { id, type } of items) {
    const event = key === 'type' ? null : await latestEvent(errors, project, id);
    const texts = key === 'type' ? [type] : event === null ? [] : textsOf(key, event);
    for (const text of texts) if (text !== null && text !== '') found.add(text);
  }
  const part = prefix.toLowerCase();
  return [...found].filter((text) => text.toLowerCase().includes(part));
}
