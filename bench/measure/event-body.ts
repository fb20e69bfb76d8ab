import { readFileSync } from 'node:fs';

let template: string | null = null;

/** A body of bench/data/python-event.json, as the load of wrk has them. `at`: when it happened. */
export function eventBody(at: Date, id: string, type: number, user: number): string {
  template ??= readFileSync('bench/data/python-event.json', 'utf8').trim();
  return template
    .replace('@TIME@', at.toISOString())
    .replaceAll('@ID@', id)
    .replaceAll('@TYPE@', String(type))
    .replaceAll('@USER@', String(user));
}
