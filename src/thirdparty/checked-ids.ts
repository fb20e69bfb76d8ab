import { isErrorId } from '../domain/errors/tracked-error.ts';
import { unknownThing } from './http/refused.ts';

/** Refuses invalid ids, which could change the request path. Throws `not_found`. */
export function checkedErrorId(id: string): string {
  if (!isErrorId(id)) throw unknownThing('error');
  return id;
}

/** As `checkedErrorId`, for the id of an event. */
export function checkedEventId(id: string): string {
  if (!/^[0-9a-f]{32}$/.test(id)) throw unknownThing('event');
  return id;
}
