import type { AppError } from '../app-error.ts';
import type { TrackerProject } from '../tracker-project.ts';
import type { TrackingSettings, TrackingSettingsPatch } from '../tracking-settings.ts';

/** What a person filled in. Members left out keep what is stored; a blank text clears. */
export interface TrackerForm {
  readonly active?: boolean;
  readonly integrated?: boolean;
  /** Scheme and host, with a sub-path where the tracker has one. */
  readonly apiHost?: string;
  /** Stars alone are the mask: what is stored stays, while the address is of the same tracker. */
  readonly token?: string;
  readonly project?: TrackerFormProject;
  /** Members left out of `project` keep what is stored too, while the address is of the same tracker. */
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
  /** What is wrong with it, as people read it; besides what `activationProblems` finds. */
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

/** Something to know or to do about a tracker, in a sentence. */
export interface Advice {
  readonly code: (typeof ADVICE_CODES)[number];
  readonly message: string;
  /** The field of the form that it is about; absent where it is about none. */
  readonly field?: 'api_host' | 'token';
  /** What to enter there; absent where that is not known. */
  readonly value?: string;
}

export interface ConnectQuestion {
  readonly apiHost: string;
  readonly token: string;
}

export interface ConnectAnswer {
  /** Null: the tracker could not be asked, for the reason in `refusal`. */
  readonly projects: readonly TrackerProject[] | null;
  /** The name of the account that the token is of; null where the tracker does not tell. */
  readonly account: string | null;
  readonly refusal: string | null;
  readonly advice: readonly Advice[];
}

/** Linking a project to an external tracker. */
export interface TrackerSetup {
  /** What saving the form would store; nothing is asked of the tracker. */
  draft(projectId: number, before: TrackingSettings | null, form: TrackerForm): SettingsDraft;
  /**
   * Asks the tracker, live, which projects the token can see. Never throws because of the tracker. Ends early when
   * the signal is aborted: nobody reads the answer then.
   */
  connect(
    projectId: number,
    before: TrackingSettings | null,
    question: ConnectQuestion,
    signal?: AbortSignal,
  ): Promise<ConnectAnswer>;
  /**
   * Asks the tracker, live and within some seconds, whether it has the linked project. Null when it has, and when that
   * cannot be found out; else the error that says what became of it. `settings` are active with an external tracker.
   */
  linkProblem(settings: TrackingSettings, signal?: AbortSignal): Promise<AppError | null>;
  /**
   * The settings were saved: what was copied from the tracker before is forgotten, unless address, project and token
   * are still the same. Finds out, within four seconds, what the tracker is; never throws because of the tracker.
   */
  settingsSaved(before: TrackingSettings | null, saved: TrackingSettings): Promise<void>;
}
