import type { User } from '../../../domain/account.ts';
import type { DiscardedGroup } from '../../../domain/ports/list-store.ts';
import { isoTime } from '../../http/iso-time.ts';
import { presentPerson } from './triage-presenter.ts';

/** `user`: the one that discarded it; null: removed by now. */
export function presentDiscarded({ id, title, type, at }: DiscardedGroup, user: User | null) {
  return { id, title, type, created_at: isoTime(at), user: presentPerson(user) };
}
