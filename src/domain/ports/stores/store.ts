import type { AccountStore } from './account-store.ts';
import type { AlertStore } from './alert-store.ts';
import type { ArtifactStore } from './artifact-store.ts';
import type { AuditStore } from './audit-store.ts';
import type { BatchStore } from './batch-store.ts';
import type { BuildStore } from './build-store.ts';
import type { ErrorStore } from './error-store.ts';
import type { FileStore } from './file-store.ts';
import type { ForwardStore } from './forward-store.ts';
import type { GroupStore } from './group-store.ts';
import type { IdentityStore } from './identity-store.ts';
import type { ImportStore } from './import-store.ts';
import type { InvitationStore } from './invitation-store.ts';
import type { LinkStore } from './link-store.ts';
import type { ListStore } from './list-store.ts';
import type { MaintenanceStore } from './maintenance-store.ts';
import type { OverviewStore } from './overview-store.ts';
import type { ProjectStore } from './project-store.ts';
import type { ReleaseStore } from './release-store.ts';
import type { SecondFactorStore } from './second-factor-store.ts';
import type { TrackingStore } from './tracking-store.ts';
import type { TriageStore } from './triage-store.ts';
import type { WebSessionStore } from './web-session-store.ts';

/** Complete storage of errgate. One object per process and thread; `close` releases it. */
export interface Store
  extends
    AccountStore,
    WebSessionStore,
    IdentityStore,
    SecondFactorStore,
    ProjectStore,
    GroupStore,
    TrackingStore,
    ForwardStore,
    ErrorStore,
    ListStore,
    LinkStore,
    OverviewStore,
    ReleaseStore,
    TriageStore,
    BatchStore,
    MaintenanceStore,
    ImportStore,
    InvitationStore,
    AlertStore,
    BuildStore,
    ArtifactStore,
    AuditStore,
    FileStore {}
