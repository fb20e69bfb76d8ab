import type { EventUser, Level } from './event.ts';

/** Members of an event that a table of events shows; null: the event has none. */
export interface EventColumns {
  readonly message: string | null;
  readonly level: Level | null;
  readonly release: string | null;
  readonly environment: string | null;
  readonly user: EventUser | null;
  readonly transaction: string | null;
  readonly url: string | null;
  readonly browser: string | null;
  readonly os: string | null;
  readonly runtime: string | null;
  readonly device: string | null;
  readonly serverName: string | null;
}
