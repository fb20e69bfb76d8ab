import type { Middleware } from 'koa';
import type { Authenticator } from '../auth/authenticator.ts';
import type { KnownBrowsers } from '../auth/known-browsers.ts';
import type { PasswordService } from '../auth/password-service.ts';
import type { WebSessions } from '../auth/web-sessions.ts';
import type { User } from '../domain/account.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { ErrorBackend, IntegratedErrors } from '../domain/ports/error-backend.ts';
import type { HealthProbe, InstanceHealth, MisaddressedRequests } from '../domain/ports/health.ts';
import type { IngestGrant } from '../domain/ports/intake.ts';
import type { Store } from '../domain/ports/store.ts';
import type { TrackerSetup } from '../domain/ports/tracker-setup.ts';
import type { Project } from '../domain/project.ts';
import type { Protection } from '../domain/protection.ts';
import type { TrackingSettings } from '../domain/tracking-settings.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { FieldNames } from './presenters/host-names.ts';

/** The part of the store that requests touch directly; errors and events go through `backendFor`. */
export type GatewayStore = Pick<
  Store,
  | 'projectById'
  | 'projectByPath'
  | 'listProjects'
  | 'projectsOfUser'
  | 'updateProject'
  | 'accessLevel'
  | 'settings'
  | 'saveSettings'
  | 'protection'
  | 'saveProtection'
  | 'listKeys'
  | 'createKey'
  | 'deleteKey'
  | 'ensureActiveKey'
  | 'listOutcomes'
  | 'setPasswordHash'
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
  | 'listTokens'
  | 'tokenById'
  | 'createToken'
  | 'revokeToken'
  | 'setKeyActive'
  | 'countErrors'
>;

/** What every route may use. */
export interface CommonDeps {
  readonly store: GatewayStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Without a slash at the end. Asked per request: with port 0 it is known only once the server listens. */
  readonly externalUrl: () => string;
  /** Whether this installation offers the integrated backend at all. */
  readonly integratedOffered: boolean;
  readonly version: string;
}

/** About the people who sign in. */
export interface AccountDeps {
  readonly authenticator: Authenticator;
  /** Browsers that people are signed in with. */
  readonly webSessions: WebSessions;
  readonly passwords: PasswordService;
  readonly browsers: KnownBrowsers;
  /** Called after a user changed their password. */
  readonly onPasswordChanged?: (user: User) => void;
}

/** About one project. */
export interface ProjectDeps {
  /**
   * The one place that chooses between the backends. `mayPoll`: the caller can ask again, so that a backend may throw
   * `not_ready` instead of waiting for another system.
   */
  readonly backendFor: (project: Project, settings: TrackingSettings, mayPoll?: boolean) => ErrorBackend;
  /** What is done only for projects whose errors errgate stores itself. */
  readonly integratedErrors: IntegratedErrors;
  readonly trackers: TrackerSetup;
  /** Whether answers also have the host's original names of members. */
  readonly fieldNames: FieldNames;
  /** What came for the project of this number with a client key that is not its own. */
  readonly misaddressed: (projectId: number) => MisaddressedRequests;
  /** What is configured for a project. */
  readonly protection: (project: Project) => Protection;
  /** What a project asks for itself has changed; resolves when it is in force for what comes to this process from then on. */
  readonly protectionSaved: () => Promise<void>;
  /** Sends an event as an SDK would, with a key of the project; its id. Throws what the intake throws. */
  readonly sendTestEvent: (grant: IngestGrant) => Promise<string>;
}

/** About this process, for its operators. */
export interface OperationDeps {
  readonly health: HealthProbe;
  /** What administrators see of this process and its store. */
  readonly instance: () => Promise<InstanceHealth>;
  readonly metrics: Metrics;
  /** Lets others than loopback read the metrics; null: loopback only. */
  readonly metricsToken: string | null;
}

export type AccountRouteDeps = CommonDeps & AccountDeps & OperationDeps;
export type ProjectRouteDeps = CommonDeps & ProjectDeps;

/** Everything the gateway is handed; it opens nothing itself. Its own members are for `app.ts` alone. */
export interface GatewayDeps extends CommonDeps, AccountDeps, ProjectDeps, OperationDeps {
  /** Folder of the built pages; null: there are none. */
  readonly uiDir: string | null;
  /** CIDRs of trusted proxies, whose `X-Forwarded-…` headers are used. */
  readonly trustedProxies: readonly string[];
  /** Routes of ingestion: asked before all others, on the raw request. */
  readonly ingest: Middleware;
  /** What marks reports of this service about itself; null: it sends none. */
  readonly selfReportMark: string | null;
}
