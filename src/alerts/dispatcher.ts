import type { Conversation, Destination } from '../domain/alerts/alert-delivery.ts';
import type { FactKind } from '../domain/alerts/alert-fact.ts';
import type { AlertSender } from '../domain/ports/alert-sender.ts';
import type { AlertStore } from '../domain/ports/stores/alert-store.ts';
import type { Clock } from '../domain/ports/clock.ts';
import type { Store } from '../domain/ports/stores/store.ts';
import type { Project } from '../domain/projects/project.ts';
import type { TrackedErrorDetail } from '../domain/errors/tracked-error.ts';
import type { Lease } from '../lib/lease.ts';
import type { Logger } from '../observability/logger.ts';
import { Audience, type AudienceStore } from './routing/audience.ts';
import { isUnreported, reportTrouble } from './channel-trouble.ts';
import { ClockWatch } from './clock-watch.ts';
import { ConversationBook } from './sending/conversation-book.ts';
import { sendDaily } from './daily-message.ts';
import { ErrorLookup } from './routing/error-lookup.ts';
import { FactRouter } from './fact-router.ts';
import { AlertLinks } from './messages/links.ts';
import { MessageSending, type SendingParts } from './sending/message-sending.ts';
import type { OpenSecrets } from './sending/message-target.ts';
import { idOf, isChannel } from './sending/message-target.ts';
import { writeMessages } from './messages/message-writer.ts';
import { passOverRestored } from './pass-over-restored.ts';
import { readyAt, withFactsMessage, withNothingWaiting } from './sending/pace.ts';
import { unsentSince } from './unsent.ts';
import { quietUntil } from './routing/zoned-time.ts';

/** What alerts need of the store. */
export type DispatchStore = AlertStore & AudienceStore & Pick<Store, 'errorById' | 'getMeta' | 'setMeta'>;

export interface DispatcherOptions {
  readonly store: DispatchStore;
  /** True: several gateways may use the store, and batches may leave facts with their errors. */
  readonly shared: boolean;
  readonly sender: AlertSender;
  readonly open: OpenSecrets;
  /** Reads an error of an external tracker; null: it does not answer, or the error is unknown. */
  readonly tracked: (project: Project, errorId: string) => Promise<TrackedErrorDetail | null>;
  /** Address of this service for people, without a slash at the end. */
  readonly externalUrl: () => string;
  readonly lease: Lease;
  readonly clock: Clock;
  /** Milliseconds since any time; never set. Default: of the process. */
  readonly steady?: () => number;
  readonly random?: () => number;
  readonly logger: Pick<Logger, 'error' | 'warn' | 'info'>;
  readonly onFact: (kind: FactKind) => void;
  readonly count: SendingParts['count'];
}

/** Maximum calls to collect facts in one turn, of 1,000 facts each. */
const MAX_COLLECTS = 20;
/** Milliseconds between two looks at failing channels, and at people that want a daily message. */
const TROUBLE_EVERY_MS = 10_000;
const DAILY_EVERY_MS = 60_000;
/** Milliseconds after which settings of projects and people are read again. */
const AUDIENCE_MS = 2000;
/** Maximum milliseconds between two looks at the quiet hours of a person for whom facts wait. */
const QUIET_LOOK_MS = 30_000;
/** Milliseconds that attempts may go on when the service stops. */
const STOP_GRACE_MS = 2000;

/**
 * Turns facts into messages and sends them. One gateway at a time does so, under a lease. A store in which nothing
 * happens is read, and not written to; in a shared one the lease is extended from time to time.
 */
export class AlertDispatcher {
  readonly #options: DispatcherOptions;
  readonly #steady: () => number;
  readonly #book: ConversationBook;
  readonly #router: FactRouter;
  readonly #sending: MessageSending;
  readonly #links: AlertLinks;
  readonly #watch: ClockWatch;
  readonly #quietLook = new Map<Destination, number>();
  #audience: { readonly value: Audience; readonly readAt: number } | null = null;
  #troubleAt = -Infinity;
  #dailyAt = -Infinity;
  #loaded = false;

  constructor(options: DispatcherOptions) {
    const { store, lease, clock, sender, open, logger, count, random = Math.random } = options;
    this.#options = options;
    this.#steady = options.steady ?? (() => performance.now());
    this.#watch = new ClockWatch(() => clock.now(), this.#steady);
    this.#book = new ConversationBook(store);
    this.#links = new AlertLinks(options.externalUrl);
    this.#router = new FactRouter({ store, book: this.#book, onFact: ({ kind }) => options.onFact(kind) });
    const audience = (): Audience => this.#view();
    this.#sending = new MessageSending({
      store,
      leading: () => this.#loaded && lease.isHeld,
      book: this.#book,
      sender,
      open,
      audience,
      clock,
      logger,
      random,
      count,
    });
  }

  /** Stops within some seconds after the last turn, and lets another gateway go on. */
  async stop(): Promise<void> {
    await this.#sending.stop(STOP_GRACE_MS);
    await this.#options.lease.release().catch(() => undefined);
  }

  /**
   * Time since which the oldest message or fact should be sent, in milliseconds since the epoch. Null: none, or another
   * gateway works on alerts.
   */
  oldestUnsent(): number | null {
    return this.#options.lease.isHeld ? unsentSince(this.#book.all(), this.#options.clock.now()) : null;
  }

  /** Does one turn of work; not two at a time. Messages may still be on their way after it. */
  async run(): Promise<void> {
    const { clock } = this.#options;
    if (!this.#options.shared) await this.#load();
    const by = this.#watch.setBy();
    // Without other gateways the conversations are this one's, also while it does nothing for them.
    if (by !== 0 && !this.#options.shared) await this.#book.clockSet(by, clock.now());
    if (!(await this.#lead())) return;
    if (by !== 0 && this.#options.shared) await this.#book.clockSet(by, clock.now());
    await this.#collect();
    await this.#route();
    // What this gateway knows is outdated.
    if (!this.#loaded) return;
    await this.#extras();
    await this.#close();
    await this.#sending.pump();
  }

  /** Returns true when this gateway works on alerts. Without a need it does not even take the lease. */
  async #lead(): Promise<boolean> {
    if (!this.#options.shared && !(await this.#hasWork())) return false;
    const held = await this.#options.lease.hold();
    if (held === 'not_held') return false;
    if (held === 'taken' && this.#options.shared) this.#loaded = false;
    await this.#load();
    return true;
  }

  async #hasWork(): Promise<boolean> {
    if (this.#steady() - this.#dailyAt >= DAILY_EVERY_MS) {
      if ((await this.#options.store.listAlertPreferences()).some(({ heartbeat }) => heartbeat)) return true;
      this.#dailyAt = this.#steady();
    }
    if (this.#book.all().some((row) => row.pending !== null || row.firstWaiting !== null || isUnreported(row)))
      return true;
    return (await this.#options.store.lastFact()) > (await this.#router.place());
  }

  /** Reads what another process left, at the start and when this one takes over. */
  async #load(): Promise<void> {
    if (this.#loaded) return;
    const { store, clock, logger } = this.#options;
    this.#router.forget();
    this.#quietLook.clear();
    if (await passOverRestored({ store, router: this.#router, clock })) {
      logger.info({}, 'the store was restored or copied: alerts that waited in it are not sent');
    }
    await this.#book.load(clock.now());
    this.#loaded = true;
  }

  async #collect(): Promise<void> {
    for (let round = 0; round < MAX_COLLECTS; round += 1) {
      if ((await this.#options.store.collectFacts()) === 0) return;
    }
  }

  /** Returns the view of projects and people; a new one after some seconds. */
  #view(): Audience {
    const { store, sender } = this.#options;
    const now = this.#steady();
    if (this.#audience === null || now - this.#audience.readAt >= AUDIENCE_MS) {
      this.#audience = { value: new Audience(store, sender.mail !== null), readAt: now };
    }
    return this.#audience.value;
  }

  #errors(): ErrorLookup {
    const { store, tracked, clock } = this.#options;
    return new ErrorLookup({ store, tracked, now: () => clock.now() });
  }

  /** Returns false when another gateway works on alerts, or may have done so since the last call. */
  readonly #goOn = async (): Promise<boolean> => {
    const held = await this.#options.lease.hold();
    if (held === 'taken' && this.#options.shared) this.#loaded = false;
    return held === 'held';
  };

  async #route(): Promise<void> {
    const now = this.#options.clock.now();
    await this.#router.route({ audience: this.#view(), errors: this.#errors(), now, goOn: this.#goOn });
  }

  async #extras(): Promise<void> {
    const { store, clock } = this.#options;
    const steady = this.#steady();
    const parts = { store, book: this.#book, links: this.#links, now: clock.now() };
    if (steady - this.#troubleAt >= TROUBLE_EVERY_MS) {
      await reportTrouble({ ...parts, audience: this.#view() });
      this.#troubleAt = steady;
    }
    if (steady - this.#dailyAt >= DAILY_EVERY_MS) {
      await sendDaily({ ...parts, audience: this.#view() });
      this.#dailyAt = steady;
    }
  }

  /** Closes the messages that are due, all from one pass over the log. */
  async #close(): Promise<void> {
    const { store, clock } = this.#options;
    const now = clock.now();
    const due: Conversation[] = [];
    for (const row of this.#book.all()) {
      const ready = readyAt(row, now);
      if (ready !== null && ready <= now && !(await this.#isQuiet(row.destination, now))) due.push(row);
    }
    if (due.length === 0) return;
    const upTo = await this.#router.place();
    const written = await writeMessages(due, upTo, {
      store,
      audience: this.#view(),
      errors: this.#errors(),
      links: this.#links,
      now,
      goOn: this.#goOn,
    });
    for (const [destination, message] of written ?? []) {
      await this.#book.update(destination, now, (current) => {
        if (current.pending !== null || current.firstWaiting === null) return null;
        return message === null ? withNothingWaiting(current, upTo) : withFactsMessage(current, message, upTo, now);
      });
    }
  }

  /** Returns true in the quiet hours of a person, by the settings of now. */
  async #isQuiet(destination: Destination, now: number): Promise<boolean> {
    if (isChannel(destination) || this.#steady() < (this.#quietLook.get(destination) ?? -Infinity)) {
      return !isChannel(destination);
    }
    const person = await this.#view().person(idOf(destination));
    const until = person === null ? null : quietUntil(person.preferences.zone, person.preferences.quiet, now);
    if (until === null) {
      this.#quietLook.delete(destination);
      return false;
    }
    this.#quietLook.set(destination, this.#steady() + Math.min(until - now, QUIET_LOOK_MS));
    return true;
  }
}
