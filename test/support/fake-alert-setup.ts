import type { Delivery, Destination } from '../../src/domain/alerts/alert-delivery.ts';
import { AppError } from '../../src/domain/app-error.ts';
import type { AlertSetup, FactHistory, Outlook } from '../../src/domain/ports/alert-setup.ts';
import type { AlertStore } from '../../src/domain/ports/stores/alert-store.ts';
import type { Clock } from '../../src/domain/ports/clock.ts';

/** Use cases of alerts over a real store, with a sender that every receiver answers `200 OK`. */
export class FakeAlertSetup implements AlertSetup {
  readonly mail = true;
  readonly histories = new Map<string, FactHistory[]>();
  outlooks: Outlook[] = [];
  readonly #store: AlertStore;
  readonly #clock: Clock;
  #serial = 0;

  constructor(store: AlertStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  async testChannel(projectId: number, channelId: number): Promise<Delivery | null> {
    const channel = (await this.#store.listChannels(projectId)).find(({ id }) => id === channelId);
    return channel === undefined ? null : this.deliver(`channel:${channelId}`, channel.name, [projectId]);
  }

  testPerson(userId: number): Promise<Delivery> {
    return this.deliver(`user:${userId}`, 'person', []);
  }

  async sendAgain(projectId: number, id: string): Promise<Delivery | null> {
    const found = await this.#store.deliveryById(id);
    if (found === null || !found.projectIds.includes(projectId)) return null;
    if (found.state !== 'failed') throw new AppError('conflict', 'the message did not fail');
    const sent = { ...found, state: 'sent', answer: '200 OK' } as const;
    await this.#store.saveDelivery(sent);
    return sent;
  }

  removeChannel(projectId: number, channelId: number): Promise<boolean> {
    return this.#store.removeChannel(projectId, channelId);
  }

  outlook(): Promise<Outlook[]> {
    return Promise.resolve(this.outlooks);
  }

  history(projectId: number, errorId: string): Promise<FactHistory[]> {
    return Promise.resolve(this.histories.get(`${projectId} ${errorId}`) ?? []);
  }

  health() {
    return Promise.resolve({ mail: true, oldestUnsentMs: 0, failed: 0, failing: 0 });
  }

  async deliver(
    destination: Destination,
    name: string,
    projectIds: readonly number[],
    patch: Partial<Delivery> = {},
  ): Promise<Delivery> {
    const now = this.#clock.now();
    this.#serial += 1;
    const id = patch.id ?? `msg_${String(this.#serial).padStart(26, '0')}`;
    const message = { id, kind: 'test', createdAt: now, since: now, until: now, parts: [], note: 'a test' } as const;
    const delivery: Delivery = {
      ...{ id, destination, name, projectIds, facts: [], message },
      ...{ state: 'sent', attempts: 1, answer: '200 OK', at: now + this.#serial },
      ...patch,
    };
    await this.#store.saveDelivery(delivery);
    return delivery;
  }
}
