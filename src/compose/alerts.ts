import type { Config } from '../../config/schema.ts';
import { createUnsubscribeLinks } from '../auth/unsubscribe-links.ts';
import { AppError } from '../domain/app-error.ts';
import type { AlertSetup } from '../domain/ports/alert-setup.ts';
import type { AlertStore } from '../domain/ports/alert-store.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { AlertDeps } from '../gateway/gateway-deps.ts';
import { createChannelSetup } from '../thirdparty/channel-setup.ts';
import { createTokenCipher } from '../thirdparty/encrypted-token.ts';
import { readKeyRing } from '../thirdparty/key-ring.ts';
import type { UrlGuard } from '../thirdparty/url-guard.ts';

export interface AlertParts {
  /** Absolute; the key file is there. */
  readonly dataDir: string;
  readonly store: AlertStore;
  readonly guard: UrlGuard;
  readonly clock: Clock;
}

const missing = (): Promise<never> =>
  Promise.reject(new AppError('store_unavailable', 'alerts are not sent by this build yet'));

/** Stands in for the engine of alerts until it is built. */
const NO_ALERTS: Omit<AlertSetup, 'removeChannel'> = {
  mail: false,
  testChannel: missing,
  testPerson: missing,
  sendAgain: missing,
  outlook: async () => [],
  history: async () => [],
  health: async () => ({ mail: false, oldestUnsentMs: 0, failed: 0, failing: 0 }),
};

/** Builds what requests about alerts need. */
export function createAlertDeps(config: Config, { dataDir, store, guard, clock }: AlertParts): AlertDeps {
  const ring = () => readKeyRing({ ...config, dataDir });
  return {
    alerts: { ...NO_ALERTS, removeChannel: (projectId, channelId) => store.removeChannel(projectId, channelId) },
    alertChannels: createChannelSetup({
      store,
      cipher: createTokenCipher(ring, 'alert channel'),
      guard,
      clock,
    }),
    alertStore: store,
    // Only links of mails have the external address.
    unsubscribeLinks: createUnsubscribeLinks({ externalUrl: '', keys: ring }),
  };
}
