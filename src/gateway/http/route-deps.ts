import type { AuditTrail } from '../../audit/audit-trail.ts';
import type { AttemptLimits } from '../../auth/attempt-limits.ts';
import type { Authenticator } from '../../auth/authenticator.ts';
import type { KnownBrowsers } from '../../auth/known-browsers.ts';
import type { PasswordService } from '../../auth/password-service.ts';
import type { ProxySignIn } from '../../auth/proxy-sign-in.ts';
import type { DisconnectIdentity } from '../../auth/sign-on/disconnect-identity.ts';
import type { ProviderSignOut } from '../../auth/sign-on/provider-sign-out.ts';
import type { SignOn } from '../../auth/sign-on/sign-on.ts';
import type { SecondFactors } from '../../auth/second-factor/second-factors.ts';
import type { SignInChallenges } from '../../auth/second-factor/sign-in-challenges.ts';
import type { SignInThrottle } from '../../auth/sign-in-throttle.ts';
import type { WebSessions } from '../../auth/web-sessions.ts';
import type { User } from '../../domain/projects/account.ts';
import type { AlertSetup } from '../../domain/ports/alert-setup.ts';
import type { AlertStore } from '../../domain/ports/stores/alert-store.ts';
import type { ChannelSetup } from '../../domain/ports/channel-setup.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import type { ErrorBackend, IntegratedErrors } from '../../domain/ports/error-backend.ts';
import type { ForwardSetup } from '../../domain/ports/forward-setup.ts';
import type { HealthProbe, InstanceHealth, MisaddressedRequests } from '../../domain/ports/health.ts';
import type { IngestGrant } from '../../domain/ports/intake.ts';
import type { Invitations } from '../../domain/ports/invitations.ts';
import type { IssueHooks } from '../../domain/ports/issue-hooks.ts';
import type { LinkSetup } from '../../domain/ports/link-setup.ts';
import type { MoveIn } from '../../domain/ports/move-in.ts';
import type { Store } from '../../domain/ports/stores/store.ts';
import type { TrackerSetup } from '../../domain/ports/tracker-setup.ts';
import type { Uploads } from '../../domain/ports/uploads.ts';
import type { UnsubscribeLinks } from '../../domain/ports/unsubscribe-links.ts';
import type { Project } from '../../domain/projects/project.ts';
import type { Protection } from '../../domain/ingest/protection.ts';
import type { TrackingSettings } from '../../domain/projects/tracking-settings.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Metrics } from '../../observability/metrics.ts';
import type { FieldNames } from './host-names.ts';

/** Part of the store that requests use directly; errors and events go through `backendFor`. */
export type GatewayStore = Pick<
  Store,
  | 'projectById'
  | 'projectByPath'
  | 'formerPathsIn'
  | 'listProjects'
  | 'projectsOfUser'
  | 'updateProject'
  | 'accessLevel'
  | 'createGroup'
  | 'groupById'
  | 'groupByPath'
  | 'listGroups'
  | 'updateGroup'
  | 'moveGroup'
  | 'deleteGroup'
  | 'setGroupMember'
  | 'removeGroupMember'
  | 'listGroupMembers'
  | 'groupRoles'
  | 'projectsBelow'
  | 'settings'
  | 'saveSettings'
  | 'protection'
  | 'saveProtection'
  | 'listKeys'
  | 'createKey'
  | 'deleteKey'
  | 'ensureActiveKey'
  | 'listOutcomes'
  | 'passwordHash'
  | 'setPasswordHash'
  | 'credentials'
  | 'providerSession'
  | 'createProject'
  | 'deleteProject'
  | 'listMembers'
  | 'setMember'
  | 'removeMember'
  | 'listUsers'
  | 'userById'
  | 'userByName'
  | 'createUser'
  | 'updateUser'
  | 'setUserBlocked'
  | 'identitiesOfUser'
  | 'listTokens'
  | 'tokenById'
  | 'createToken'
  | 'revokeToken'
  | 'setKeyActive'
  | 'projectAccess'
  | 'projectNews'
  | 'errorsThatMatter'
  | 'findByExternalId'
  | 'importedOrigin'
  | 'listImportSources'
  | 'savedViews'
  | 'saveView'
  | 'removeView'
  | 'favourites'
  | 'setFavourite'
  | 'addProjectsOfToken'
  | 'tokensOfProject'
  | 'projectLinks'
  | 'releaseByName'
  | 'saveBuildRelease'
  | 'buildRelease'
  | 'listBuildReleases'
  | 'removeBuildRelease'
  | 'putCommits'
  | 'commitsOfRelease'
  | 'commitsInShort'
  | 'addDeploy'
  | 'deploysOfRelease'
  | 'deploysOfProject'
  | 'listBundles'
  | 'bundleUses'
  | 'bundlesOfRelease'
  | 'removeBundle'
  | 'listAuditEvents'
  | 'importState'
  | 'invitationFor'
  | 'listInvitations'
  | 'changeInvitation'
  | 'removeInvitation'
>;

/** Dependencies of every route. */
export interface CommonDeps {
  readonly store: GatewayStore;
  /** The one writer of the audit log. */
  readonly auditTrail: Pick<AuditTrail, 'record' | 'begin' | 'around' | 'refused'>;
  readonly clock: Clock;
  readonly logger: Logger;
  /**
   * Returns the external address, without a slash at the end. Called per request: with port 0 it is known only after
   * listening.
   */
  readonly externalUrl: () => string;
  /** True when this installation offers the integrated backend. */
  readonly integratedOffered: boolean;
  readonly version: string;
  /** Uploads of build tools. */
  readonly uploads: Uploads;
  readonly invitations: Invitations;
}

/** Sign-in with an identity provider. */
export interface SignOnDeps {
  readonly flow: Pick<SignOn, 'name' | 'begin' | 'finish'>;
  readonly signOut: Pick<ProviderSignOut, 'urlFor' | 'end'>;
}

/** Dependencies for users and their sessions. */
export interface AccountDeps {
  readonly authenticator: Authenticator;
  /** Sessions of signed-in browsers. */
  readonly webSessions: WebSessions;
  readonly passwords: PasswordService;
  readonly signInThrottle: SignInThrottle;
  readonly secondFactors: SecondFactors;
  readonly challenges: SignInChallenges;
  /** People that a proxy in front of errgate signs in. */
  readonly proxySignIn: ProxySignIn;
  readonly browsers: KnownBrowsers;
  /** Sign-in with an identity provider; null: none is configured. */
  readonly signOn: SignOnDeps | null;
  readonly disconnectIdentity: DisconnectIdentity;
  /** Whether people sign in with passwords, unless their account says otherwise. */
  readonly passwordSignIn: boolean;
  /** Called after a user changed their password. */
  readonly onPasswordChanged?: (user: User) => void;
}

/** Dependencies for one project. */
export interface ProjectDeps {
  /**
   * Selects the backend of a project. `mayPoll`: the caller can repeat the request, so that a backend may throw
   * `not_ready` instead of waiting.
   */
  readonly backendFor: (project: Project, settings: TrackingSettings, mayPoll?: boolean) => ErrorBackend;
  /** Operations on projects whose errors errgate stores itself. */
  readonly integratedErrors: IntegratedErrors;
  readonly trackers: TrackerSetup;
  readonly forwarding: ForwardSetup;
  /** Source repository and issue tracker of a project. */
  readonly links: LinkSetup;
  /** Webhooks by which errors follow their issues on the host. */
  readonly issueHooks: IssueHooks;
  /** Imports that were started over REST. */
  readonly moveIn: MoveIn;
  /** Selects whether answers also have the host's original names of members. */
  readonly fieldNames: FieldNames;
  /** Returns the requests to this project refused because their client key is not its own. */
  readonly misaddressed: (projectId: number) => MisaddressedRequests;
  /** Returns the configured protection of a project. */
  readonly protection: (project: Project) => Protection;
  /**
   * Called after the overrides or the forward of a project changed. Resolves when they are in effect for later requests to this
   * process.
   */
  readonly protectionSaved: () => Promise<void>;
  /** Sends an event as an SDK would, with a key of the project; returns its id. Throws the errors of the intake. */
  readonly sendTestEvent: (grant: IngestGrant) => Promise<string>;
}

/** Dependencies for alerts. */
export interface AlertDeps {
  readonly alerts: AlertSetup;
  readonly alertChannels: ChannelSetup;
  /** Part of the store that requests about alerts use directly. */
  readonly alertStore: Pick<
    AlertStore,
    | 'listChannels'
    | 'projectAlerts'
    | 'saveProjectAlerts'
    | 'listDeliveries'
    | 'alertPreferences'
    | 'saveAlertPreferences'
  >;
  readonly unsubscribeLinks: Pick<UnsubscribeLinks, 'scopeOf'>;
}

/** Dependencies about this process, for its operators. */
export interface OperationDeps {
  readonly health: HealthProbe;
  /** Returns the state of this process and its store, for administrators. */
  readonly instance: () => Promise<InstanceHealth>;
  readonly metrics: Metrics;
  /** Messages of agents, by the id of their token. */
  readonly agentLimits: AttemptLimits;
  /** Token that allows clients other than loopback to read the metrics; null: loopback only. */
  readonly metricsToken: string | null;
}

export type AccountRouteDeps = CommonDeps &
  AccountDeps &
  AlertDeps &
  OperationDeps &
  Pick<ProjectDeps, 'integratedErrors' | 'backendFor' | 'issueHooks'>;
export type ProjectRouteDeps = CommonDeps & ProjectDeps & AlertDeps;
/** Dependencies of all routes together. */
export type RouteDeps = AccountRouteDeps & ProjectRouteDeps;
