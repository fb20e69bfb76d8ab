import type { Level } from '../events/event.ts';

/** Texts that an error has of its newest event. Errors that no event has reached since a text was added have null. */
export interface ErrorTexts {
  readonly type: string | null;
  /** Value of the exception, or the message. */
  readonly message: string | null;
  readonly title: string;
  readonly culprit: string | null;
  readonly level: Level;
  readonly platform: string;
}

/** The same of another tracker, which may not tell all of them. */
export type TrackerTexts = {
  readonly [T in keyof ErrorTexts]: T extends 'title' ? ErrorTexts[T] : ErrorTexts[T] | null;
};

/** Returns the texts alone, in the order of stored documents. */
export function textsOf<T extends TrackerTexts>(all: T): Pick<T, keyof ErrorTexts> {
  const { type, message, title, culprit, level, platform } = all;
  return { type, message, title, culprit, level, platform };
}
