import { createHash } from 'node:crypto';
import { AppError } from '../../domain/app-error.ts';
import type { ErrorStatus } from '../../domain/errors/error-status.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ErrorBackend } from '../../domain/ports/error-backend.ts';
import type { HookResult, IssueHooks } from '../../domain/ports/issue-hooks.ts';
import type { Seal } from '../../domain/ports/seal.ts';
import type { LinkStore } from '../../domain/ports/stores/link-store.ts';
import { MAX_BULK_STEP } from '../../domain/ports/stores/list-store.ts';
import type { TrackingStore } from '../../domain/ports/stores/tracking-store.ts';
import { issueAddressStarts, normalIssueAddress } from '../../domain/projects/issue-address.ts';
import type { IssueHook, IssueState, SeenIssue } from '../../domain/projects/issue-hook.ts';
import type { Project } from '../../domain/projects/project.ts';
import { counted } from '../../lib/counted.ts';
import { newWebhookSecret, parseWebhookSecret } from '../../lib/standard-webhooks.ts';
import { checkRequest, refusedHook } from './check-request.ts';
import { parseEvent, readIssueEvent, type IssueChange } from './gitlab-event.ts';

export interface IssueHookDeps {
  readonly store: Pick<LinkStore, 'issueHook' | 'setIssueHook' | 'removeIssueHook'> &
    Pick<LinkStore, 'errorsWithIssue' | 'seenIssue' | 'moveSeenIssue'> &
    Pick<TrackingStore, 'settings'>;
  /** Errors that errgate stores. */
  readonly errors: Pick<ErrorBackend, 'setStatuses'>;
  /** Seals for `issue hook`. */
  readonly seal: Seal;
  readonly clock: Clock;
  /** True when this installation offers the integrated backend. */
  readonly integratedOffered: boolean;
}

/** Status of errors that follow an issue: before its change, and after. Others, such as ignored ones, stay. */
const STATUSES: Readonly<Record<IssueState, { readonly from: ErrorStatus; readonly to: ErrorStatus }>> = {
  closed: { from: 'unresolved', to: 'resolved' },
  opened: { from: 'resolved', to: 'unresolved' },
};

/** Attempts to record a change while other requests about the same issue come. */
const MAX_ATTEMPTS = 5;

const unchanged = (message: string): HookResult => ({ changed: 0, message });

/** Creates the webhooks of issues. Events change stored errors only, and only while the project accepts events. */
export function createIssueHooks({ store, errors, seal, clock, integratedOffered }: IssueHookDeps): IssueHooks {
  function secretOf({ sealed, projectId }: IssueHook): string {
    const secret = seal.open(sealed, projectId);
    if (secret !== null) return secret;
    const message = `the stored secret of the webhook of project ${projectId} cannot be decrypted: bring the key back (ERRGATE_SECRET_KEY_PREVIOUS takes a second one), or make a new secret`;
    throw new AppError('invalid_configuration', message);
  }

  /** Reason why the errors of a project follow no issues at the moment; null: they do. */
  async function obstacle({ id, monitorEnabled }: Project): Promise<string | null> {
    const settings = await store.settings(id);
    if (settings?.active !== true || !monitorEnabled) return 'Error tracking is off in this project.';
    const isStored = settings.integrated && integratedOffered;
    return isStored ? null : 'The errors of this project are in an external tracker: issues are linked there.';
  }

  /** Returns the ids of the errors that are linked to the issue, under any form of its address. */
  async function linkedErrors(projectId: number, { url, address }: IssueChange): Promise<string[]> {
    const links = await store.errorsWithIssue(projectId, issueAddressStarts(url));
    return [...new Set(links.filter((link) => normalIssueAddress(link.url) === address).map(({ errorId }) => errorId))];
  }

  /**
   * Makes a change, then records it as the newest of its issue: where one of the two fails, the same request may be sent
   * again. Returns the number of errors that changed; null: the issue has this state since a change that was taken.
   * Throws `conflict` for a change that was taken, or that is older than one that was taken.
   */
  async function makeChange(seen: SeenIssue, set: (state: IssueState) => Promise<number>): Promise<number | null> {
    let changed: number | null = null;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt += 1) {
      const before = await store.seenIssue(seen.projectId, seen.issue);
      try {
        if (before !== null && isKnown(before, seen)) return changed;
      } catch (error) {
        // A newer change came meanwhile: the errors get its state back.
        if (changed !== null && before !== null && before.state !== seen.state) await set(before.state);
        throw error;
      }
      changed ??= await set(seen.state);
      if (await store.moveSeenIssue(seen, before, seen)) return changed;
    }
    throw new AppError('store_unavailable', 'other requests about this issue come all the time: send it again');
  }

  async function setStatuses(
    project: Project,
    ids: readonly string[],
    { url, title }: IssueChange,
    state: IssueState,
  ): Promise<number> {
    const { from, to } = STATUSES[state];
    const issue = { url, title };
    let count = 0;
    for (let at = 0; at < ids.length; at += MAX_BULK_STEP) {
      const step = ids.slice(at, at + MAX_BULK_STEP);
      const results = await errors.setStatuses(project, step, to, { from: { status: from }, issue });
      count += results.filter(({ before }) => before?.skipped === false).length;
    }
    return count;
  }

  async function follow(project: Project, change: IssueChange, delivery: string): Promise<HookResult> {
    const ids = await linkedErrors(project.id, change);
    if (ids.length === 0) return unchanged('No error is linked to this issue.');
    const issue = createHash('sha256').update(change.address).digest('hex').slice(0, 32);
    const seen = { projectId: project.id, issue, state: change.state, at: change.at, delivery };
    const changed = await makeChange(seen, (state) => setStatuses(project, ids, change, state));
    if (changed === null) return unchanged('This change of the issue was taken before.');
    const { from, to } = STATUSES[change.state];
    if (changed === 0) return unchanged(`None of the errors that are linked to this issue is ${from}.`);
    return { changed, message: `${counted(changed, 'error')} became ${to}.` };
  }

  return {
    hook: (projectId) => store.issueHook(projectId),
    async turnOn(projectId, given) {
      const secret = given ?? newWebhookSecret();
      if (parseWebhookSecret(secret) === null) {
        const message = 'secret is invalid: use whsec_ and 24 to 64 bytes in base64, or leave it out to get a new one';
        throw new AppError('invalid_parameter', message);
      }
      const sealed = seal.seal(secret, projectId);
      await store.setIssueHook({ projectId, sealed, createdAt: clock.now() });
      return secret;
    },
    turnOff: (projectId) => store.removeIssueHook(projectId),
    async receive(project, request) {
      const hook = project === null ? null : await store.issueHook(project.id);
      const { delivery, body } = await checkRequest(request, hook === null ? null : secretOf(hook), clock.now());
      if (project === null) throw refusedHook();
      const change = readIssueEvent(parseEvent(body), clock.now());
      if (typeof change === 'string') return unchanged(change);
      const reason = await obstacle(project);
      return reason === null ? follow(project, change, delivery) : unchanged(reason);
    },
  };
}

/** True for a change that is known by another request. Throws `conflict` for a repeated and for an older one. */
function isKnown(before: SeenIssue, { state, at, delivery }: SeenIssue): boolean {
  if (delivery !== '' && delivery === before.delivery) {
    throw new AppError('conflict', 'this request was taken before: nothing is changed again');
  }
  if (at < before.at)
    throw new AppError('conflict', 'a newer change of this issue was taken before: nothing is changed');
  return at === before.at && state === before.state;
}
