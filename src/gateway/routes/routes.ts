import type { Route } from '../route.ts';
import { alertChannelRoutes } from './api-v4/alert-channels.ts';
import { alertDeliveryRoutes } from './api-v4/alert-deliveries.ts';
import { alertSettingsRoutes } from './api-v4/alert-settings.ts';
import { alertRoutes } from './api-v4/alerts.ts';
import { unsubscribeRoutes } from './alerts/unsubscribe.ts';
import { clientKeyRoutes } from './api-v4/client-keys.ts';
import { bulkRoutes } from './api-v4/bulk.ts';
import { errorRemovalRoutes } from './api-v4/error-removal.ts';
import { errorSearchRoutes } from './api-v4/error-search.ts';
import { errorRoutes } from './api-v4/errors.ts';
import { errorStreamRoutes } from './api-v4/error-stream.ts';
import { eventRoutes } from './api-v4/events.ts';
import { formerLinkRoutes } from './api-v4/former-links.ts';
import { importRoutes } from './api-v4/import.ts';
import { exportRoutes } from './api-v4/export.ts';
import { linkedIssueRoutes } from './api-v4/linked-issues.ts';
import { linkRoutes } from './api-v4/links.ts';
import { mergeRoutes } from './api-v4/merges.ts';
import { forwardingRoutes } from './api-v4/forwarding.ts';
import { instanceRoutes } from './api-v4/instance.ts';
import { overviewRoutes } from './api-v4/overview.ts';
import { favouriteRoutes } from '../api/accounts/favourites.ts';
import { savedViewRoutes } from '../api/projects/saved-views.ts';
import { setUpRoutes } from './api-v4/set-up.ts';
import { memberRoutes } from './api-v4/members.ts';
import { accountRoutes, openApiRoute } from './api-v4/meta.ts';
import { outcomeRoutes } from './api-v4/outcomes.ts';
import { projectRoutes } from './api-v4/projects.ts';
import { protectionRoutes } from './api-v4/protection.ts';
import { refusedRoutes } from './api-v4/refused.ts';
import { releaseRoutes } from './api-v4/releases.ts';
import { tokenRoutes } from './api-v4/tokens.ts';
import { triageRoutes } from './api-v4/triage.ts';
import { tagTrendRoutes } from './api-v4/tag-trends.ts';
import { userReportRoutes } from './api-v4/user-reports.ts';
import { userRoutes } from './api-v4/users.ts';
import { settingsRoutes } from './api-v4/settings.ts';
import { healthRoutes } from './health/health.ts';
import { sessionRoutes } from './session/session.ts';
import { connectRoutes } from './web/connect.ts';
import { webErrorRoutes } from './web/errors.ts';
import { operationsRoutes } from './web/operations.ts';

/** All routes except ingestion; the first match answers. */
export const routes: readonly Route[] = [
  ...settingsRoutes,
  ...clientKeyRoutes,
  ...exportRoutes,
  ...errorSearchRoutes,
  ...bulkRoutes,
  ...errorRoutes,
  ...errorRemovalRoutes,
  ...eventRoutes,
  ...releaseRoutes,
  ...mergeRoutes,
  ...triageRoutes,
  ...linkedIssueRoutes,
  ...linkRoutes,
  ...userReportRoutes,
  ...tagTrendRoutes,
  ...importRoutes,
  ...formerLinkRoutes,
  ...outcomeRoutes,
  ...refusedRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...overviewRoutes,
  ...errorStreamRoutes,
  ...savedViewRoutes,
  ...favouriteRoutes,
  ...setUpRoutes,
  ...protectionRoutes,
  ...forwardingRoutes,
  ...alertRoutes,
  ...alertChannelRoutes,
  ...alertDeliveryRoutes,
  ...instanceRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...accountRoutes,
  ...alertSettingsRoutes,
  openApiRoute(() => routes),
  ...sessionRoutes,
  ...unsubscribeRoutes,
  ...connectRoutes,
  ...webErrorRoutes,
  ...operationsRoutes,
  ...healthRoutes,
];
