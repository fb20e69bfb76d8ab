import type { NormalisedEvent } from '../../../../../src/domain/events/event.ts';

/** What must come out of one captured event. */
export interface Expected {
  title: string;
  culprit: string | null;
  type: string | null;
  message: string;
  level: string;
  platform: string;
  timestamp: string;
  /** Type and value, oldest cause first, each with its frames (null: none). */
  exceptions?: [string | null, string, string[] | null][];
  threads?: string[][];
  breadcrumbs?: [timestamp: string, type: string, level: string, message: string][];
  userId?: string | null;
  email?: string | null;
  ip?: string;
  /** What is counted beyond level, environment, release, k and server_name. */
  derived: Record<string, string>;
  logger?: string;
  logentry?: NormalisedEvent['logentry'];
  notes?: string[];
}

/** By capture; null: the request carries no event. */
export type ExpectedCaptures = Readonly<Record<string, Expected | null | undefined>>;

export const singleCrumb = (at: string): NonNullable<Expected['breadcrumbs']> => [[at, 'default', 'info', 'bc']];
