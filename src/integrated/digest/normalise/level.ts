import type { Level } from '../../../domain/events/event.ts';

const LEVEL_NAMES = new Map<string, Level>([
  ['fatal', 'fatal'],
  ['critical', 'fatal'],
  ['error', 'error'],
  ['warning', 'warning'],
  ['warn', 'warning'],
  ['info', 'info'],
  ['log', 'info'],
  ['debug', 'debug'],
]);

/** Parses a level by name, alias or number of Python's logging (10 debug to 50 critical); else null. */
export function parseLevel(value: unknown): Level | null {
  if (typeof value === 'string') {
    const known = LEVEL_NAMES.get(value) ?? LEVEL_NAMES.get(value.trim().toLowerCase());
    return known ?? (/^\d{1,3}$/.test(value) ? fromNumber(Number(value)) : null);
  }
  return typeof value === 'number' ? fromNumber(value) : null;
}

function fromNumber(value: number): Level | null {
  if (!(value >= 10)) {
    return null;
  }
  if (value >= 50) {
    return 'fatal';
  }
  if (value >= 40) {
    return 'error';
  }
  if (value >= 30) {
    return 'warning';
  }
  return value >= 20 ? 'info' : 'debug';
}
