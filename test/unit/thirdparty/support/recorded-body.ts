import { readFileSync } from 'node:fs';

const FOLDER = new URL('../../../fixtures/thirdparty/glitchtip-5.2/', import.meta.url);

interface Recording {
  readonly status: number;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: unknown;
}

export function recording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`${name}.json`, FOLDER), 'utf8')) as Recording;
}

/** A recorded answer's body. */
export function recordedBody(name: string): unknown {
  return recording(name).body;
}

export function recordedHeader(name: string, header: string): string | null {
  return recording(name).headers.find(([key]) => key.toLowerCase() === header)?.[1] ?? null;
}
