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
  readonly store: object;
  readonly guard: UrlGuard;
  readonly clock: Clock;
}

const missing = (): Promise<never> =>
  Promise.reject(new AppError('store_unavailable', 'alerts are not part of this build yet'));

/** Stands in for the engine and the stores of alerts until they are built. */
const NO_ALERTS: AlertSetup = {
  mail: false,
  testChannel: missing,
  testPerson: missing,
  sendAgain: missing,
  removeChannel: missing,
  outlook: missing,
  history: missing,
  health: missing,
};

/** Builds what requests about alerts need. */
export function createAlertDeps(config: Config, { dataDir, guard, clock, ...parts }: AlertParts): AlertDeps {
  const store: Partial<AlertStore> = parts.store;
  const ring = () => readKeyRing({ ...config, dataDir });
  const alertStore = {
    createChannel: store.createChannel?.bind(store) ?? missing,
    updateChannel: store.updateChannel?.bind(store) ?? missing,
    listChannels: store.listChannels?.bind(store) ?? missing,
    projectAlerts: store.projectAlerts?.bind(store) ?? missing,
    saveProjectAlerts: store.saveProjectAlerts?.bind(store) ?? missing,
    listDeliveries: store.listDeliveries?.bind(store) ?? missing,
    alertPreferences: store.alertPreferences?.bind(store) ?? missing,
    saveAlertPreferences: store.saveAlertPreferences?.bind(store) ?? missing,
  };
  return {
    alerts: NO_ALERTS,
    alertChannels: createChannelSetup({
      store: alertStore,
      cipher: createTokenCipher(ring, 'alert channel'),
      guard,
      clock,
    }),
    alertStore,
    // Only links of mails have the external address.
    unsubscribeLinks: createUnsubscribeLinks({ externalUrl: '', keys: ring }),
  };
}
