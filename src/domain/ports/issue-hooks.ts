import type { IssueHook } from '../projects/issue-hook.ts';
import type { Project } from '../projects/project.ts';

/** Request of the host. */
export interface HookRequest {
  /** Returns a header; empty when it is missing. */
  readonly header: (name: string) => string;
  /** Reads the body as it was sent, which is signed. Throws `payload_too_large`. */
  readonly body: () => Promise<Buffer>;
}

/** What a request of the host did. */
export interface HookResult {
  /** Number of errors whose status changed. */
  readonly changed: number;
  /** The same as a sentence, with the reason where nothing changed. */
  readonly message: string;
}

/** Webhooks of the host, by which errors follow their linked issues. Nothing here sends anything to the host. */
export interface IssueHooks {
  /** Null: errors of the project do not follow their issues. */
  hook(projectId: number): Promise<IssueHook | null>;
  /**
   * Turns the webhook on, or gives it another secret, which replaces the one before at once. `secret` null: a new one is
   * made. Returns the secret, which is not shown again. Throws `invalid_parameter` for a malformed one.
   */
  turnOn(projectId: number, secret: string | null): Promise<string>;
  turnOff(projectId: number): Promise<boolean>;
  /**
   * Resolves or reopens the errors that are linked to an issue. Throws `invalid_credentials` for a request without a
   * valid signature or secret, also for an unknown project (null); `conflict` for a repeated or an outdated one;
   * `bad_request` for one that cannot be read.
   */
  receive(project: Project | null, request: HookRequest): Promise<HookResult>;
}
