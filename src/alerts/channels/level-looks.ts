import type { Level } from '../../domain/events/event.ts';

const COLOURS: Readonly<Record<Level, string>> = {
  fatal: '#b3261e',
  error: '#d9482b',
  warning: '#c77700',
  info: '#2f6fde',
  debug: '#6b7280',
};

/** Colour of a level as #rrggbb; grey when unknown. */
export function levelColour(level: Level | null): string {
  return COLOURS[level ?? 'debug'];
}
