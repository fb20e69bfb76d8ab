/** `21.4.1`, `21.5.0.dev0`, `26.8.0rc1`, `9.1.2`: year, month and patch in the first three numbers. */
const VERSION = /^v?(\d{1,4})\.(\d{1,4})(?:\.(\d{1,4}))?/;

/** Returns whether the first number of a version is lower; false for null and texts that are no version. */
export function isVersionBefore(version: string | null, first: number): boolean {
  const match = version === null ? null : VERSION.exec(version.trim());
  return match !== null && Number(match[1]) < first;
}

/** Newest deprecated version. */
const LAST_DEPRECATED = [21, 4, 1] as const;

/** Checks for a deprecated version; false for texts that are no version. */
export function isDeprecatedVersion(version: string): boolean {
  const match = VERSION.exec(version.trim());
  if (match === null) return false;
  const [, year, month, patch = '0'] = match;
  const parts = [year, month, patch].map(Number);
  for (const [index, last] of LAST_DEPRECATED.entries()) {
    const part = parts[index] ?? 0;
    if (part !== last) return part < last;
  }
  return true;
}

/** Text of the service's interface; without a full stop. */
export const DEPRECATION =
  'support for self-hosted third-party systems at version 21.4.1 and earlier is deprecated and scheduled for removal in product release 17.0. Version 21.5.0 or later is needed afterwards';

/** Version in the body of `GET /api/client-config/`; null when missing. */
export function versionIn(clientConfig: unknown): string | null {
  const version = memberOf(clientConfig, 'version');
  const current = typeof version === 'string' ? version : memberOf(version, 'current');
  return typeof current === 'string' && VERSION.test(current.trim()) ? current.trim().slice(0, 50) : null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (Reflect.get(value, name) as unknown) : undefined;
}
