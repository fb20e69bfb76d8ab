import { AttemptLimits } from '../auth/attempt-limits.ts';
import { MESSAGES_OF_TOKEN } from '../gateway/agents/mcp-route.ts';
import type { RequestListener } from 'node:http';
import type { Config } from '../../config/schema.ts';
import { createAuthenticator, type TokenEnd } from '../auth/authenticator.ts';
import { createKnownBrowsers } from '../auth/known-browsers.ts';
import { createPasswordService } from '../auth/password-service.ts';
import { createProxySignIn } from '../auth/proxy-sign-in.ts';
import { createSignInChallenges } from '../auth/second-factor/sign-in-challenges.ts';
import { createDisconnectIdentity } from '../auth/sign-on/disconnect-identity.ts';
import { createSignInThrottle } from '../auth/sign-in-throttle.ts';
import type { TokenUses } from '../auth/token-use.ts';
import { createWebSessions, type WebSessionLimits } from '../auth/web-sessions.ts';
import { DAY_MS } from '../domain/durations.ts';
import type { User } from '../domain/projects/account.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Project } from '../domain/projects/project.ts';
import type { Protection } from '../domain/ingest/protection.ts';
import { createApp, type GatewayDeps } from '../gateway/app.ts';
import { ingestListener } from '../gateway/ingest/ingest-listener.ts';
import { builtUiDir } from '../gateway/pages/ui-files.ts';
import type { Seal } from '../domain/ports/seal.ts';
import { createIntegratedBackend } from '../integrated/backend.ts';
import { createIssueHooks } from '../integrated/issue-hooks/issue-hooks.ts';
import { withOriginalPlaces } from '../integrated/original-places.ts';
import type { OverridesOf } from '../integrated/project-overrides.ts';
import { scrubbersFor, scrubOptionsFor } from '../integrated/digest/scrub/scrubbers-for.ts';
import { limitRulesFor, rulesOf } from '../integrated/intake/limits/limit-rules.ts';
import { createFrameMapper } from './frame-mapper.ts';
import type { IngestSide } from './ingest.ts';
import { composeInvitations } from './invitations.ts';
import { createRoleLog } from './sign-on-audit.ts';
import type { SignOnSide } from './sign-on.ts';
import type { TrackerSide } from './trackers.ts';

type Handed =
  | 'auditTrail'
  | 'clock'
  | 'logger'
  | 'metrics'
  | 'version'
  | 'selfReportMark'
  | 'externalUrl'
  | 'health'
  | 'instance'
  | 'forwarding'
  | 'links'
  | 'moveIn'
  | 'alerts'
  | 'alertChannels'
  | 'alertStore'
  | 'unsubscribeLinks'
  | 'protectionSaved'
  | 'secondFactors'
  | 'uploads';

/** Parts that the gateway gets unchanged, and parts from which the others are built. */
export interface GatewayParts extends Pick<GatewayDeps, Handed> {
  readonly store: Store;
  readonly ingest: IngestSide;
  readonly trackers: TrackerSide;
  readonly tokenUses: TokenUses;
  /** Seals for `issue hook`. */
  readonly issueHookSeal: Seal;
  readonly overridesOf: OverridesOf;
  readonly onPasswordChanged: ((user: User) => void) | undefined;
  /** Null: no identity provider is configured. */
  readonly signOn: SignOnSide | null;
}

/** Bytes of opened maps that are kept for reading events which came before their maps. */
const SHOWN_MAPS_BYTES = 16 * 1024 * 1024;

/** Creates the listener that answers requests. */
export function createGateway(config: Config, parts: GatewayParts): RequestListener {
  const { store, ingest, trackers, tokenUses, issueHookSeal, onPasswordChanged, overridesOf, signOn, ...handed } =
    parts;
  const { clock, auditTrail } = handed;
  const signInThrottle = createSignInThrottle(clock);
  const integrated = withOriginalPlaces(createIntegratedBackend(store, clock), {
    frames: createFrameMapper(config, store, { keptBytes: SHOWN_MAPS_BYTES }),
    scrubberFor: scrubbersFor(config.scrubbing, overridesOf),
  });
  const deps: GatewayDeps = {
    ...handed,
    store,
    invitations: composeInvitations(config, { store, auditTrail, clock, externalUrl: handed.externalUrl }),
    authenticator: createAuthenticator({ accounts: store, clock, uses: tokenUses, ...tokenEnd(config) }),
    webSessions: createWebSessions({
      store,
      clock,
      limits: sessionLimits(config),
      ...(signOn !== null && { check: (found) => signOn.check.isStillIn(found) }),
    }),
    signOn,
    disconnectIdentity: createDisconnectIdentity({
      store,
      logger: handed.logger,
      roleLog: createRoleLog(store, auditTrail),
    }),
    passwordSignIn: config.passwordSignIn,
    browsers: createKnownBrowsers({ store, clock }),
    passwords: createPasswordService({ store, throttle: signInThrottle, allowed: config.passwordSignIn }),
    signInThrottle,
    challenges: createSignInChallenges({ store, clock }),
    proxySignIn: createProxySignIn({ store, clock, isOn: config.server.authHeader !== null }),
    ...(onPasswordChanged === undefined ? {} : { onPasswordChanged }),
    uiDir: builtUiDir(),
    // Only here `integrated` decides.
    backendFor: (_project, settings, mayPoll) =>
      settings.integrated ? integrated : trackers.backends.backendFor(settings, mayPoll),
    integratedErrors: integrated,
    issueHooks: createIssueHooks({
      ...{ store, errors: integrated, seal: issueHookSeal, clock },
      integratedOffered: config.integrated.enabled,
    }),
    trackers: trackers.setup,
    integratedOffered: config.integrated.enabled,
    fieldNames: config.server.fieldNames,
    misaddressed: ingest.misaddressed,
    protection: createProtection(config),
    sendTestEvent: ingest.sendTestEvent,
    agentLimits: new AttemptLimits(MESSAGES_OF_TOKEN, clock),
    metricsToken: config.metrics.token,
    trustedProxies: config.server.trustedProxies.split(',').filter((range) => range.trim() !== ''),
    authHeader: config.server.authHeader,
    ingest: ingest.routes,
  };
  const handle = createApp(deps).callback();
  return ingestListener(deps, (request, response) => void handle(request, response));
}

/** Ends tokens of people who left the identity provider; nothing where none is configured. */
function tokenEnd({ oidc, passwordSignIn }: Config): { readonly signOn?: TokenEnd } {
  const isOff = oidc.issuer === null || oidc.tokenDays === 0;
  return isOff ? {} : { signOn: { passwordSignIn, maxMs: oidc.tokenDays * DAY_MS } };
}

function sessionLimits({ sessions }: Config): WebSessionLimits {
  return { idleMs: sessions.idleMinutes * 60_000, maxMs: sessions.maxMinutes * 60_000 };
}

/** Creates a function that returns the configured protection of a project, with the additions for it. */
function createProtection(config: Config): (project: Project) => Protection {
  const scrubbing = scrubOptionsFor(config.scrubbing);
  const rules = limitRulesFor(config.limits);
  const instance = rulesOf(config.limits.instance);
  return ({ id, path }) => ({ scrubbing: scrubbing(id, path), limits: { ...rules(id, path), instance } });
}
