import type { NewStatusDetails } from '../../api/errors-api.ts';

/** Hour of the morning at which errors that are ignored for days come back. */
const MORNING = 9;

const WHEN = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});

interface Choice {
  readonly label: string;
  /** The time in words, in the zone of the browser. */
  readonly hint: string;
  readonly details: NewStatusDetails;
}

function after(days: number, label: string, now: Date): Choice {
  const at = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, MORNING);
  return { label, hint: WHEN.format(at), details: { ignoreUntil: at.toISOString() } };
}

/** Times until which an error can be ignored: the morning of a later day, in the zone of the browser. */
export function ignoreChoices(now = new Date()): readonly Choice[] {
  return [after(1, 'Until tomorrow', now), after(7, 'For a week', now)];
}
