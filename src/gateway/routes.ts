import { errorMarkdownRoutes } from './agents/error-markdown.ts';
import { mcpRoutes } from './agents/mcp-route.ts';
import { buildTokenRoutes } from './api/accounts/build-tokens.ts';
import { favouriteRoutes } from './api/accounts/favourites.ts';
import { takeUpRoutes } from './api/accounts/invitation.ts';
import { ownAccountRoutes } from './api/accounts/own-account.ts';
import { secondFactorRoutes } from './api/accounts/second-factor.ts';
import { sessionRoutes } from './api/accounts/session.ts';
import { identityRoutes } from './api/accounts/identities.ts';
import { sessionListRoutes } from './api/accounts/session-list.ts';
import { signOnRoutes } from './api/accounts/sign-on.ts';
import { signInRoutes } from './api/accounts/sign-in.ts';
import { tokenRoutes } from './api/accounts/tokens.ts';
import { userRoutes } from './api/accounts/users.ts';
import { alertChannelRoutes } from './api/alerts/alert-channels.ts';
import { alertDeliveryRoutes } from './api/alerts/alert-deliveries.ts';
import { alertSettingsRoutes } from './api/alerts/alert-settings.ts';
import { alertRoutes } from './api/alerts/alerts.ts';
import { unsubscribeRoutes } from './api/alerts/unsubscribe.ts';
import { artifactRoutes } from './api/artifacts/artifacts.ts';
import { auditEventRoutes } from './api/audit/audit-events.ts';
import { bulkRoutes } from './api/errors/bulk.ts';
import { errorRemovalRoutes } from './api/errors/error-removal.ts';
import { errorsOfAllProjectsRoutes } from './api/errors/errors-of-all-projects.ts';
import { errorRoutes } from './api/errors/errors.ts';
import { exportRoutes } from './api/errors/export.ts';
import { linkedIssueRoutes } from './api/errors/linked-issues.ts';
import { mergeRoutes } from './api/errors/merges.ts';
import { suspectCommitRoutes } from './api/errors/suspect-commits.ts';
import { tagTrendRoutes } from './api/errors/tag-trends.ts';
import { triageRoutes } from './api/errors/triage.ts';
import { eventRoutes } from './api/events/events.ts';
import { userReportRoutes } from './api/events/user-reports.ts';
import { formerLinkRoutes } from './api/import/former-links.ts';
import { groupMemberRoutes } from './api/groups/group-members.ts';
import { groupInvitationRoutes } from './api/groups/invitations.ts';
import { groupRoutes } from './api/groups/groups.ts';
import { importRoutes } from './api/import/import.ts';
import { healthRoutes } from './api/operations/health.ts';
import { instanceRoutes } from './api/operations/instance.ts';
import { openApiRoute, versionRoutes } from './api/operations/version.ts';
import { clientKeyRoutes } from './api/projects/client-keys.ts';
import { forwardingRoutes } from './api/projects/forwarding.ts';
import { invitationSuggestionRoutes } from './api/projects/invitation-suggestions.ts';
import { invitationRoutes } from './api/projects/invitations.ts';
import { issueHookRoutes } from './api/projects/issue-hook.ts';
import { linkRoutes } from './api/projects/links.ts';
import { memberRoutes } from './api/projects/members.ts';
import { outcomeRoutes } from './api/projects/outcomes.ts';
import { overviewRoutes } from './api/projects/overview.ts';
import { projectRoutes } from './api/projects/projects.ts';
import { protectionRoutes } from './api/projects/protection.ts';
import { refusedRoutes } from './api/projects/refused.ts';
import { savedViewRoutes } from './api/projects/saved-views.ts';
import { setUpRoutes } from './api/projects/set-up.ts';
import { settingsRoutes } from './api/projects/settings.ts';
import { announcedReleaseRoutes } from './api/releases/announced-releases.ts';
import { releaseRoutes } from './api/releases/releases.ts';
import { errorSearchRoutes } from './api/search/error-search.ts';
import type { Route } from './http/route.ts';
import { bundleRoutes } from './tools/bundle-routes.ts';
import { debugFileRoutes } from './tools/debug-file-routes.ts';
import { organizationRoutes } from './tools/organization-routes.ts';
import { toolReleaseRoutes } from './tools/release-routes.ts';
import { connectRoutes } from './web/connect.ts';
import { operationsRoutes } from './web/operations.ts';
import { webErrorRoutes } from './web/web-errors.ts';

/** All routes except ingestion; the first match answers. */
export const routes: readonly Route[] = [
  ...settingsRoutes,
  ...clientKeyRoutes,
  ...exportRoutes,
  ...errorSearchRoutes,
  ...bulkRoutes,
  ...errorMarkdownRoutes,
  ...errorRoutes,
  ...errorRemovalRoutes,
  ...eventRoutes,
  ...releaseRoutes,
  ...announcedReleaseRoutes,
  ...mergeRoutes,
  ...triageRoutes,
  ...linkedIssueRoutes,
  ...linkRoutes,
  ...issueHookRoutes,
  ...userReportRoutes,
  ...tagTrendRoutes,
  ...suspectCommitRoutes,
  ...importRoutes,
  ...formerLinkRoutes,
  ...outcomeRoutes,
  ...refusedRoutes,
  ...projectRoutes,
  ...memberRoutes,
  ...invitationRoutes,
  ...invitationSuggestionRoutes,
  ...groupRoutes,
  ...groupMemberRoutes,
  ...groupInvitationRoutes,
  ...overviewRoutes,
  ...errorsOfAllProjectsRoutes,
  ...savedViewRoutes,
  ...favouriteRoutes,
  ...setUpRoutes,
  ...protectionRoutes,
  ...forwardingRoutes,
  ...alertRoutes,
  ...alertChannelRoutes,
  ...alertDeliveryRoutes,
  ...artifactRoutes,
  ...buildTokenRoutes,
  ...auditEventRoutes,
  ...instanceRoutes,
  ...userRoutes,
  ...tokenRoutes,
  ...ownAccountRoutes,
  ...sessionListRoutes,
  ...identityRoutes,
  ...secondFactorRoutes,
  ...versionRoutes,
  ...alertSettingsRoutes,
  openApiRoute(() => routes),
  ...sessionRoutes,
  ...signInRoutes,
  ...takeUpRoutes,
  ...signOnRoutes,
  ...unsubscribeRoutes,
  ...connectRoutes,
  ...webErrorRoutes,
  ...operationsRoutes,
  ...healthRoutes,
  ...organizationRoutes,
  ...bundleRoutes,
  ...debugFileRoutes,
  ...toolReleaseRoutes,
  ...mcpRoutes,
];
