import { AppError } from '../../../domain/app-error.ts';
import type { EventFilter, EventOptions } from '../../../domain/event-list.ts';
import { definedMembers } from '../../../lib/defined-members.ts';

interface AskedEvents {
  readonly columns?: boolean | null | undefined;
  readonly environment?: string | undefined;
  readonly release?: string | undefined;
  readonly user?: string | undefined;
  /** `key:value`, or a key. */
  readonly tag?: string | undefined;
}

function tagOf(text: string): EventFilter['tag'] & object {
  const colon = text.indexOf(':');
  const key = colon === -1 ? text : text.slice(0, colon);
  if (key === '') throw new AppError('invalid_parameter', 'tag is invalid: give key:value, or a key for any value');
  return { key, value: colon === -1 ? null : text.slice(colon + 1) };
}

/** Returns what a list of events is asked for. Throws `invalid_parameter` for a tag without a key. */
export function eventOptions({ columns, environment, release, user, tag }: AskedEvents): EventOptions {
  const filter = definedMembers({ environment, release, user, tag: tag === undefined ? undefined : tagOf(tag) });
  return {
    ...(columns === true ? { columns } : {}),
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  };
}
