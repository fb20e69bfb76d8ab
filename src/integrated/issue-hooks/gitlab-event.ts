import { AppError } from '../../domain/app-error.ts';
import { normalIssueAddress } from '../../domain/projects/issue-address.ts';
import type { IssueState } from '../../domain/projects/issue-hook.ts';
import { MAX_ISSUE_TITLE, MAX_ISSUE_URL } from '../../domain/projects/project-links.ts';
import { isRecord } from '../../lib/own-property.ts';

/** Change of an issue on GitLab. */
export interface IssueChange {
  /** As GitLab sent it, at most MAX_ISSUE_URL characters. */
  readonly url: string;
  /** The same for all forms of the address. */
  readonly address: string;
  /** In one line, at most MAX_ISSUE_TITLE characters. Empty for a confidential issue: more people read the activity. */
  readonly title: string;
  readonly state: IssueState;
  /** Time of the change by GitLab's clock. */
  readonly at: number;
}

/** Milliseconds by which GitLab's clock may be ahead. */
const MAX_AHEAD_MS = 300_000;

/** Objects of an event of issues: a work item is an issue of another type, such as an incident or a task. */
const KINDS: ReadonlySet<unknown> = new Set(['issue', 'work_item']);

const invalid = (what: string): AppError =>
  new AppError('bad_request', `this is no event of issues as GitLab sends it: ${what}`);

/** Returns the body of a request. Throws `bad_request` for what is no JSON object. */
export function parseEvent(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(body.toString('utf8'));
    if (isRecord(parsed)) return parsed;
  } catch {
    // Refused below.
  }
  throw invalid('the request body is no JSON object');
}

/** Returns the state that an event brings; null: it changes no state. */
function newState(attributes: Readonly<Record<string, unknown>>, changes: unknown): IssueState | null {
  const { action, state } = attributes;
  if (action === 'close') return 'closed';
  if (action === 'reopen') return 'opened';
  // Closed together with other changes.
  const isChanged = action === 'update' && isRecord(changes) && Object.hasOwn(changes, 'state_id');
  return isChanged && (state === 'closed' || state === 'opened') ? state : null;
}

/**
 * Reads an event of issues (docs.gitlab.com/user/project/integrations/webhook_events). Returns a sentence for one that
 * changes nothing here. Throws `bad_request` for one that lacks what each has.
 */
export function readIssueEvent(event: Readonly<Record<string, unknown>>, now: number): IssueChange | string {
  if (!KINDS.has(event['object_kind'])) return 'The event is not about an issue.';
  const attributes = event['object_attributes'];
  if (!isRecord(attributes)) throw invalid('object_attributes is missing');
  const state = newState(attributes, event['changes']);
  if (state === null) return 'The event does not close or reopen an issue.';
  if (state === 'closed' && isRef(attributes['moved_to_id'])) return 'The issue was moved: its work goes on elsewhere.';
  if (state === 'closed' && isRef(attributes['duplicated_to_id']))
    return 'The issue was closed as a duplicate: its work goes on in the other one.';
  const { url, title, updated_at: updatedAt } = attributes;
  if (typeof url !== 'string' || url.length > MAX_ISSUE_URL) throw invalid('object_attributes.url is missing');
  const address = normalIssueAddress(url);
  if (address === null) return 'The address of the issue has no form that is known here.';
  const at = typeof updatedAt === 'string' ? Date.parse(updatedAt) : Number.NaN;
  if (Number.isNaN(at)) throw invalid('object_attributes.updated_at is no time');
  if (at > now + MAX_AHEAD_MS) throw invalid('object_attributes.updated_at is in the future: compare the clocks');
  const isShown = typeof title === 'string' && attributes['confidential'] !== true;
  return { url, address, title: isShown ? inOneLine(title) : '', state, at };
}

/** Whether a member names another issue. */
const isRef = (value: unknown): boolean => value !== null && value !== undefined;

const inOneLine = (title: string): string =>
  title
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_ISSUE_TITLE)
    .toWellFormed();
