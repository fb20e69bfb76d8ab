import type { ErrorStatus, NewStatusDetails } from '../../api/errors-api.ts';
import type { BulkAction } from './bulk-actions.ts';
import type { BulkChange, BulkWords } from './use-bulk.ts';

interface Deed {
  readonly change: BulkChange;
  readonly words: BulkWords;
  /** Status that it sets. */
  readonly status: ErrorStatus;
  readonly details?: NewStatusDetails;
}

function toStatus(status: ErrorStatus, words: BulkWords, details?: NewStatusDetails): Deed {
  const change: BulkChange = { action: 'status', status };
  if (details === undefined) return { change, words, status };
  return { change: { ...change, status_details: details }, words, status, details };
}

/** Change of a bulk action that assigns to a member, and the word for it; null: to nobody. */
export function assignment(id: number | null, name: string | null): [BulkChange, Pick<BulkWords, 'done'>] {
  return [{ action: 'assignee', user_id: id }, { done: name === null ? 'unassigned' : `assigned to ${name}` }];
}

/** What each action without a dialog of its own does, and the words for it. */
export const DEEDS: Readonly<Record<Exclude<BulkAction, 'ignore-until' | 'assign' | 'merge' | 'delete'>, Deed>> = {
  resolve: toStatus('resolved', {
    verb: 'Resolve',
    done: 'resolved',
    effect: 'They are resolved until they happen again.',
  }),
  'resolve-next': toStatus(
    'resolved',
    {
      verb: 'Resolve',
      after: 'in the next release',
      done: 'resolved in the next release',
      effect: 'They are resolved. Only events of a newer release than the newest one reopen them.',
    },
    { inNextRelease: true },
  ),
  'resolve-this': toStatus(
    'resolved',
    {
      verb: 'Resolve',
      after: 'in the newest release',
      done: 'resolved in the newest release',
      effect: 'They are resolved in the newest release. Only events of a later one reopen them.',
    },
    { inRelease: 'latest' },
  ),
  ignore: toStatus('ignored', {
    verb: 'Ignore',
    done: 'ignored',
    effect: 'They leave the list of unresolved errors and send no alerts.',
  }),
  reopen: toStatus('unresolved', { verb: 'Reopen', done: 'reopened', effect: 'They are unresolved again.' }),
  reviewed: {
    status: 'unresolved',
    change: { action: 'reviewed', reviewed: true },
    words: {
      verb: 'Mark',
      after: 'as reviewed',
      done: 'marked as reviewed',
      effect: 'They leave the list For review until they come back or get worse. Their status stays.',
    },
  },
};
