import { readFileSync } from 'node:fs';

let template: string | null = null;

/** Body of bench/data/python-event.json, like those of wrk. `at`: time of the event. */
export function eventBody(at: Date, id: string, type: number, user: number): string {
  template ??= readFileSync('bench/data/python-event.json', 'utf8').trim();
  return template
    .replace('@TIME@', at.toISOString())
    .replaceAll('@ID@', id)
    .replaceAll('@TYPE@', String(type))
    .replaceAll('@USER@', String(user));
}
