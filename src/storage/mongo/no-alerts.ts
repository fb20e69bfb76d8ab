import { AppError } from '../../domain/app-error.ts';
import type { AlertStore } from '../../domain/ports/alert-store.ts';

const missing = (): Promise<never> => Promise.reject(new AppError('internal', 'alerts are not stored on MongoDB yet'));

/** Stands in for the alerts of MongoDB until they are built. */
export const NO_ALERTS: AlertStore = {
  ...{ collectFacts: missing, addFacts: missing, listFacts: missing, factsOfError: missing, lastFact: missing },
  ...{ silenceFacts: missing, createChannel: missing, listChannels: missing, updateChannel: missing },
  ...{ removeChannel: missing, replaceSealedChannel: missing, projectAlerts: missing, listProjectAlerts: missing },
  ...{ saveProjectAlerts: missing, alertPreferences: missing, listAlertPreferences: missing },
  ...{ saveAlertPreferences: missing, listConversations: missing, saveConversation: missing },
  ...{ removeConversation: missing, saveDelivery: missing, deliveryById: missing, listDeliveries: missing },
  ...{ deliveriesAround: missing, failedDeliveries: missing, errorStates: missing, busyErrors: missing },
  ...{ recentErrors: missing, countEvents: missing, thresholdArms: missing, saveThresholdArm: missing },
  removeThresholdArm: missing,
};
