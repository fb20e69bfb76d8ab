import { AuditTrail } from '../../src/audit/audit-trail.ts';
import { AttemptLimits } from '../../src/auth/attempt-limits.ts';
import { createAuthenticator } from '../../src/auth/authenticator.ts';
import { TokenUses } from '../../src/auth/token-use.ts';
import { verifyPassword } from '../../src/auth/password.ts';
import { createKnownBrowsers } from '../../src/auth/known-browsers.ts';
import { createPasswordService } from '../../src/auth/password-service.ts';
import { createProxySignIn } from '../../src/auth/proxy-sign-in.ts';
import { createDisconnectIdentity } from '../../src/auth/sign-on/disconnect-identity.ts';
import { createRoleLog } from '../../src/compose/sign-on-audit.ts';
import { createSecondFactors } from '../../src/auth/second-factor/second-factors.ts';
import { createSignInChallenges } from '../../src/auth/second-factor/sign-in-challenges.ts';
import { createSignInThrottle } from '../../src/auth/sign-in-throttle.ts';
import { createWebSessions } from '../../src/auth/web-sessions.ts';
import type { MoveInProgress } from '../../src/domain/ports/move-in.ts';
import type { UnsubscribeLinks } from '../../src/domain/ports/unsubscribe-links.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import { createUnsubscribeLinks } from '../../src/auth/unsubscribe-links.ts';
import { createChannelSetup } from '../../src/thirdparty/setup/channel-setup.ts';
import { createLinkSetup } from '../../src/thirdparty/setup/link-setup.ts';
import { createForwardSetup } from '../../src/thirdparty/setup/forward-setup.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';
import type { Protection } from '../../src/domain/ingest/protection.ts';
import { MESSAGES_OF_TOKEN } from '../../src/gateway/agents/mcp-route.ts';
import { createApp, type GatewayDeps } from '../../src/gateway/app.ts';
import { listen } from '../../src/gateway/http/http-server.ts';
import { createFrameMapper } from '../../src/compose/frame-mapper.ts';
import { createIntegratedBackend } from '../../src/integrated/backend.ts';
import { createScrubber } from '../../src/integrated/digest/scrub/scrubber.ts';
import { createIssueHooks } from '../../src/integrated/issue-hooks/issue-hooks.ts';
import { withOriginalPlaces } from '../../src/integrated/original-places.ts';
import { createInviting } from '../../src/invitations/invite.ts';
import { createTakingUp } from '../../src/invitations/take-up.ts';
import { createMetrics } from '../../src/observability/metrics.ts';
import { assertDocumented } from './documented.ts';
import { FakeAlertSetup } from './fake-alert-setup.ts';
import { fakeLogger } from './fake-logger.ts';
import type { StoreKind } from './test-stores.ts';
import { openUploads } from './test-uploads.ts';
import { createTestTrackers, type TestTrackers } from './trackers.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed body; null for an empty one. Throws for invalid JSON. */
  json(): any; // eslint-disable-line @typescript-eslint/no-explicit-any
}

export interface Ask {
  readonly token?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Body: objects are sent as JSON, other values unchanged. */
  readonly body?: unknown;
}

export interface LogLine {
  readonly level: string;
  readonly bindings: Record<string, unknown>;
  readonly message: string;
}

export interface RunningApp {
  readonly store: Store;
  readonly auditTrail: AuditTrail;
  readonly url: string;
  readonly log: LogLine[];
  readonly alerts: FakeAlertSetup;
  readonly unsubscribeLinks: UnsubscribeLinks;
  readonly trackers: TestTrackers;
  readonly clock: { at: number; now(): number };
  /** Dependencies of the application; changes apply from the next request on. */
  readonly deps: { -readonly [K in keyof GatewayDeps]: GatewayDeps[K] };
  ask(method: string, path: string, ask?: Ask): Promise<Answer>;
  get(path: string, token?: string): Promise<Answer>;
  /** Waits until the store has the use times of tokens. */
  tokensNoted(): Promise<void>;
  close(): Promise<void>;
}

function memoryLog(lines: LogLine[]): GatewayDeps['logger'] {
  return fakeLogger((level) => (bindings, message) => {
    lines.push({ level, bindings: bindings as Record<string, unknown>, message: message ?? '' });
  });
}

const NOTHING = { events: null, sessions: null };
const CONFIGURED: Protection = {
  scrubbing: { enabled: true, scrubIps: false, sensitiveFields: ['iban'], safeFields: [] },
  limits: {
    key: { events: { perMinute: 60, burst: 120 }, sessions: null },
    project: NOTHING,
    instance: NOTHING,
    spikeGuard: null,
  },
};

/** Import that every project has; nothing runs. */
const MOVE_IN: MoveInProgress = {
  state: 'running',
  stages: [{ name: 'errors', done: 1, total: null }],
  message: 'reading errors',
  switches: false,
  startedAt: 0,
  endedAt: null,
  notes: [],
};
const moveIn = async () => MOVE_IN;

/** Fast stand-in for the hash of a test password. */
export const testPasswordHash = (password: string): string => `test$${password}`;

async function verifyTestPassword(password: string, stored: string): Promise<boolean> {
  return stored.startsWith('test$') ? stored === testPasswordHash(password) : verifyPassword(password, stored);
}

/** Milliseconds: one day without use, one week in total. */
export const SESSION_LIMITS = { idleMs: 86_400_000, maxMs: 7 * 86_400_000 };

/** Starts the application on a real port with a new empty store. */
export async function startApp(kind: StoreKind, overrides: Partial<GatewayDeps> = {}): Promise<RunningApp> {
  const opened = await kind.open();
  const { store } = opened;
  const clock = { at: Date.UTC(2026, 0, 15, 12), now: () => clock.at };
  const log: LogLine[] = [];
  let url = '';
  const trackers = createTestTrackers(clock);
  const tokenUses = new TokenUses({ store, clock });
  const auditTrail = new AuditTrail({ store, clock, logger: memoryLog(log) });
  const integrated = withOriginalPlaces(createIntegratedBackend(store, clock), {
    frames: createFrameMapper({ integrated: { inAppInclude: [], inAppExclude: [] } }, store),
    scrubberFor: () => createScrubber({ enabled: true, scrubIps: false, sensitiveFields: [], safeFields: [] }),
  });
  const alerts = new FakeAlertSetup(store, clock);
  const unsubscribeLinks = createUnsubscribeLinks({
    externalUrl: () => 'https://errors.example.test',
    keys: () => [{ bytes: new Uint8Array(32) }],
  });
  const signInThrottle = createSignInThrottle(clock);
  const taken = await openUploads({ store, clock });
  const deps: RunningApp['deps'] = {
    store,
    auditTrail,
    uploads: taken.uploads,
    invitations: {
      mail: false,
      ...createInviting({
        store,
        auditTrail,
        clock,
        days: 7,
        externalUrl: () => 'https://errors.example.test',
        sendMail: null,
      }),
      ...createTakingUp({ store, clock, auditTrail, passwordSignIn: true }),
    },
    authenticator: createAuthenticator({ accounts: store, clock, uses: tokenUses }),
    webSessions: createWebSessions({ store, clock, limits: SESSION_LIMITS }),
    signOn: null,
    disconnectIdentity: createDisconnectIdentity({
      store,
      logger: memoryLog(log),
      roleLog: createRoleLog(store, auditTrail),
    }),
    passwordSignIn: true,
    browsers: createKnownBrowsers({ store, clock }),
    proxySignIn: createProxySignIn({ store, clock, isOn: typeof overrides.authHeader === 'string' }),
    passwords: createPasswordService({ store, throttle: signInThrottle, verify: verifyTestPassword }),
    signInThrottle,
    secondFactors: createSecondFactors({
      store,
      clock,
      cipher: trackers.cipher,
      required: false,
      externalUrl: () => 'https://errors.example.test',
    }),
    challenges: createSignInChallenges({ store, clock }),
    backendFor: (_project, settings, mayPoll) =>
      settings.integrated ? integrated : trackers.backends.backendFor(settings, mayPoll),
    integratedErrors: integrated,
    trackers: trackers.setup,
    forwarding: createForwardSetup({
      store,
      cipher: trackers.cipher,
      guard: createUrlGuard({ allow: '127.0.0.1' }),
      clock,
      ownAddress: () => 'https://errors.example.test',
    }),
    links: createLinkSetup({
      store,
      cipher: trackers.cipher,
      guard: createUrlGuard({ allow: '127.0.0.1' }),
      clock,
      totalMs: 2000,
    }),
    issueHooks: createIssueHooks({
      ...{ store, errors: integrated, clock, integratedOffered: true },
      seal: {
        seal: (text, owner) => trackers.cipher.encrypt(text, owner),
        open: (text, owner) => trackers.cipher.decrypt(text, owner),
      },
    }),
    alerts,
    alertStore: store,
    alertChannels: createChannelSetup({
      store,
      cipher: trackers.cipher,
      guard: createUrlGuard({ allow: '127.0.0.1' }),
      clock,
    }),
    unsubscribeLinks,
    moveIn: { start: moveIn, progress: moveIn, cancel: moveIn },
    integratedOffered: true,
    externalUrl: () => 'https://errors.example.test',
    fieldNames: 'neutral',
    health: {
      accepting: () => ({ ok: true, reason: null }),
      reading: async () => ({ ok: true, reason: null }),
      digesting: () => ({ ok: true, reason: null }),
      intact: () => ({ ok: true, reason: null }),
    },
    misaddressed: () => ({ since: clock.at, refused: [] }),
    instance: async () => ({
      startedAt: clock.at,
      storeKind: 'sqlite',
      store: await store.stats(),
      journal: { bytes: 0, maxBytes: 1000, oldestAgeMs: 0 },
      quarantined: 0,
      disk: { freeBytes: 30_000, totalBytes: 100_000, minFreeBytes: 1000 },
      counts: { accepted: 12, stored: 11, refused: 0 },
      refused: [],
      alerts: await alerts.health(),
      gateways: [],
      running: await store.listGateways(),
    }),
    protection: () => CONFIGURED,
    protectionSaved: async () => undefined,
    sendTestEvent: async () => 'ab'.repeat(16),
    metrics: createMetrics(),
    agentLimits: new AttemptLimits(MESSAGES_OF_TOKEN, clock),
    metricsToken: null,
    uiDir: null,
    ingest: { targetOf: () => null, answer: () => Promise.reject(new Error('there are no ingestion routes')) },
    selfReportMark: null,
    trustedProxies: [],
    authHeader: null,
    clock,
    logger: memoryLog(log),
    version: '1.2.3',
    ...overrides,
  };
  // As the service listens. The default of Node.js closes connections after 5 s, amid requests of a busy machine.
  const handle = createApp(deps).callback();
  const { server, port } = await listen((request, response) => void handle(request, response), '127.0.0.1', 0, {
    keepAliveTimeoutMs: 65_000,
  });
  url = `http://127.0.0.1:${port}`;

  async function ask(method: string, path: string, { token, headers = {}, body }: Ask = {}): Promise<Answer> {
    const isJson = body !== undefined && Object.getPrototypeOf(body) === Object.prototype;
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token === undefined ? {} : { 'PRIVATE-TOKEN': token }),
        ...(isJson ? { 'Content-Type': 'application/json' } : {}),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isJson ? JSON.stringify(body) : (body as string) }),
    });
    const text = await response.text();
    const isPage = response.headers.get('Content-Type')?.startsWith('text/html') === true;
    if (method !== 'HEAD' && !isPage) assertDocumented(method, path, response.status, text);
    return {
      status: response.status,
      headers: response.headers,
      text,
      json: () => (text === '' ? null : JSON.parse(text)),
    };
  }

  return {
    store,
    auditTrail,
    alerts,
    unsubscribeLinks,
    url,
    log,
    trackers,
    clock,
    deps,
    ask,
    get: (path, token) => ask('GET', path, token === undefined ? {} : { token }),
    tokensNoted: () => tokenUses.flushed(),
    async close() {
      trackers.client.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await tokenUses.flushed();
      await taken.remove();
      await opened.dispose();
    },
  };
}
