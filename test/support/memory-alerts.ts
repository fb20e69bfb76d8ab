import { MAX_CHANNELS, type AlertChannel } from '../../src/domain/alert-channel.ts';
import type { Delivery, Destination } from '../../src/domain/alert-delivery.ts';
import type { AlertPreferences, ProjectAlerts } from '../../src/domain/alert-rule.ts';
import { AppError } from '../../src/domain/app-error.ts';
import type { AlertSetup, FactHistory, Outlook } from '../../src/domain/ports/alert-setup.ts';
import type { AlertStore } from '../../src/domain/ports/alert-store.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';

export type RequestAlertStore = Pick<
  AlertStore,
  | 'createChannel'
  | 'listChannels'
  | 'updateChannel'
  | 'projectAlerts'
  | 'saveProjectAlerts'
  | 'listDeliveries'
  | 'alertPreferences'
  | 'saveAlertPreferences'
>;

/** Alerts in memory: what requests read and write, and a sender that notes what it would send. */
export class MemoryAlerts {
  readonly #clock: Clock;
  readonly channels: AlertChannel[] = [];
  readonly deliveries: Delivery[] = [];
  readonly histories = new Map<string, FactHistory[]>();
  outlooks: Outlook[] = [];
  #ids = 0;
  readonly #rules = new Map<number, ProjectAlerts>();
  readonly #preferences = new Map<number, AlertPreferences>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  readonly store: RequestAlertStore = {
    createChannel: async (draft, now) => {
      const own = this.channels.filter(({ projectId }) => projectId === draft.projectId);
      if (own.length >= MAX_CHANNELS) throw new AppError('conflict', `a project has at most ${MAX_CHANNELS} channels`);
      this.#ids += 1;
      const channel = { ...draft, id: this.#ids, enabled: true, disabledReason: null, createdAt: now };
      this.channels.push(channel);
      return channel;
    },
    listChannels: async (projectId) =>
      this.channels.filter((channel) => projectId === null || channel.projectId === projectId),
    updateChannel: async (projectId, channelId, patch) => {
      const index = this.#indexOf(projectId, channelId);
      const present = this.channels[index];
      if (present === undefined) return null;
      const updated = { ...present, ...patch };
      this.channels[index] = updated;
      return updated;
    },
    projectAlerts: async (projectId) => this.#rules.get(projectId) ?? null,
    saveProjectAlerts: async (projectId, alerts) => void this.#rules.set(projectId, alerts),
    alertPreferences: async (userId) => this.#preferences.get(userId) ?? null,
    saveAlertPreferences: async (userId, preferences) => void this.#preferences.set(userId, preferences),
    listDeliveries: async ({ projectId, destination, limit, after }) => {
      const listed = this.deliveries
        .filter(({ projectIds }) => projectIds.includes(projectId))
        .filter((delivery) => destination === null || delivery.destination === destination)
        .reverse();
      const start = after === null ? 0 : listed.findIndex(({ id }) => id === after) + 1;
      return listed.slice(start, start + limit);
    },
  };

  readonly setup: AlertSetup = {
    mail: true,
    testChannel: async (projectId, channelId) => {
      const channel = this.channels[this.#indexOf(projectId, channelId)];
      return channel === undefined ? null : this.deliver(`channel:${channelId}`, channel.name, [projectId]);
    },
    testPerson: async (userId) => this.deliver(`user:${userId}`, 'person', []),
    sendAgain: async (projectId, id) => {
      const found = this.deliveries.find((one) => one.id === id && one.projectIds.includes(projectId));
      if (found === undefined) return null;
      if (found.state !== 'failed') throw new AppError('conflict', 'the message did not fail');
      const sent = { ...found, state: 'sent', answer: '200 OK' } as const;
      this.deliveries[this.deliveries.indexOf(found)] = sent;
      return sent;
    },
    removeChannel: async (projectId, channelId) => {
      const index = this.#indexOf(projectId, channelId);
      return index >= 0 && this.channels.splice(index, 1).length > 0;
    },
    outlook: async () => this.outlooks,
    history: async (projectId, errorId) => this.histories.get(`${projectId} ${errorId}`) ?? [],
    health: async () => ({ mail: true, oldestUnsentMs: 0, failed: 0, failing: 0 }),
  };

  deliver(
    destination: Destination,
    name: string,
    projectIds: readonly number[],
    patch: Partial<Delivery> = {},
  ): Delivery {
    const now = this.#clock.now();
    const id = `msg_${String(this.deliveries.length + 1).padStart(26, '0')}`;
    const message = { id, kind: 'test', createdAt: now, since: now, until: now, parts: [], note: 'a test' } as const;
    const delivery: Delivery = {
      ...{ id, destination, name, projectIds, facts: [], message },
      ...{ state: 'sent', attempts: 1, answer: '200 OK', at: now },
      ...patch,
    };
    this.deliveries.push(delivery);
    return delivery;
  }

  #indexOf(projectId: number, channelId: number): number {
    return this.channels.findIndex(({ id, projectId: of }) => id === channelId && of === projectId);
  }
}
