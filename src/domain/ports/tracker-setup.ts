import type { AppError } from '../app-error.ts';
import type { TrackerProject } from '../projects/tracker-project.ts';
import type { TrackingSettings, TrackingSettingsPatch } from '../projects/tracking-settings.ts';

/** Submitted form. Absent members keep the stored value; a blank text clears it. */
export interface TrackerForm {
  readonly active?: boolean;
  readonly integrated?: boolean;
  /** Scheme and host, with a sub-path where the tracker has one. */
  readonly apiHost?: string;
  /** Asterisks alone keep the stored token, if the address is of the same tracker. */
  readonly token?: string;
  readonly project?: TrackerFormProject;
  /** True: absent members of `project` keep the stored value too, if the address is of the same tracker. */
  readonly keepsProject?: boolean;
}

export interface TrackerFormProject {
  readonly organizationSlug?: string;
  readonly organizationName?: string;
  readonly slug?: string;
  readonly name?: string;
  readonly thirdpartyProjectId?: string;
}

export interface SettingsDraft {
  readonly patch: TrackingSettingsPatch;
  /** Problems as sentences for users, in addition to those of `activationProblems`. */
  readonly problems: readonly string[];
}

export const ADVICE_CODES = [
  'scope_missing',
  'organization_token',
  'token_missing',
  'token_invalid',
  'token_refused',
  'project_renamed',
  'project_missing',
  'address_missing',
  'address_invalid',
  'address_corrected',
  'address_blocked',
  'login_page',
  'moved',
  'not_a_tracker',
  'unreachable',
  'limited',
  'list_cut',
  'projects_left_out',
  'tracker_outdated',
] as const;

/** Hint about a tracker, in one sentence. */
export interface Advice {
  readonly code: (typeof ADVICE_CODES)[number];
  readonly message: string;
  /** Field of the form that the hint belongs to; absent for none. */
  readonly field?: 'api_host' | 'token';
  /** Value to enter there; absent when unknown. */
  readonly value?: string;
}

export interface ConnectQuestion {
  readonly apiHost: string;
  readonly token: string;
}

export interface ConnectAnswer {
  /** Null: the request to the tracker failed; `refusal` has the reason. */
  readonly projects: readonly TrackerProject[] | null;
  /** Name of the account of the token; null when the tracker does not report it. */
  readonly account: string | null;
  readonly refusal: string | null;
  readonly advice: readonly Advice[];
}

/** Links projects to external trackers. */
export interface TrackerSetup {
  /** Returns the settings that saving the form would store, without a request to the tracker. */
  draft(projectId: number, before: TrackingSettings | null, form: TrackerForm): SettingsDraft;
  /**
   * Requests the projects visible to the token from the tracker. Never throws because of the tracker. Ends early when
   * the signal aborts; the result is unused then.
   */
  connect(
    projectId: number,
    before: TrackingSettings | null,
    question: ConnectQuestion,
    signal?: AbortSignal,
  ): Promise<ConnectAnswer>;
  /**
   * Checks with the tracker, within some seconds, whether the linked project exists. Null when it exists or the check
   * fails; else the error with the reason. `settings` are active with an external tracker.
   */
  linkProblem(settings: TrackingSettings, signal?: AbortSignal): Promise<AppError | null>;
  /**
   * Called after the settings were saved. Clears the cache of the tracker, unless address, project and token are
   * unchanged. Detects the kind of tracker within four seconds; never throws because of the tracker.
   */
  settingsSaved(before: TrackingSettings | null, saved: TrackingSettings): Promise<void>;
}
