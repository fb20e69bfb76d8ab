import { constants } from 'node:fs';
import { access, stat, statfs } from 'node:fs/promises';
import { bytesText, fail, type Finding, ok, reasonOf, warn } from './finding.ts';

export function checkNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return ok('node', `Node.js ${version}`);
  return fail('node', `Node.js ${version} is too old`, 'install Node.js 20.19 or newer');
}

export async function checkDataDir(dataDir: string): Promise<Finding> {
  try {
    const stats = await stat(dataDir);
    if (!stats.isDirectory()) return fail('data dir', `${dataDir} is not a folder`, 'set ERRGATE_DATA_DIR to a folder');
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const mode = stats.mode & 0o777;
    if ((mode & 0o077) === 0) return ok('data dir', `${dataDir}, mode 0${mode.toString(8)}`);
    return warn('data dir', `other users can read ${dataDir} (mode 0${mode.toString(8)})`, `chmod 700 ${dataDir}`);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') {
      return fail(
        'data dir',
        `there is no data dir at ${dataDir}`,
        'set ERRGATE_DATA_DIR or start the service once: `errgate serve`',
      );
    }
    return fail('data dir', reasonOf(error), `give ${dataDir} to the user that errgate runs as`);
  }
}

export async function checkDisk(dataDir: string, minFreeBytes: number): Promise<Finding> {
  try {
    const disk = await statfs(dataDir);
    const free = disk.bavail * disk.bsize;
    const text = `${bytesText(free)} free`;
    if (free <= minFreeBytes) {
      const limit = bytesText(minFreeBytes);
      return fail(
        'disk',
        `${text}: events are refused below ${limit}`,
        'free some space, or lower ERRGATE_MIN_FREE_DISK',
      );
    }
    if (free <= 2 * minFreeBytes) return warn('disk', text, `below ${bytesText(minFreeBytes)} events are refused`);
    return ok('disk', text);
  } catch (error) {
    return fail('disk', reasonOf(error), 'see the line about the data dir');
  }
}

const LOOPBACK = /^(localhost|.*\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Address on which a service listens. */
export interface Listening {
  readonly host: string;
  /** Port; 0: a free one, whose number is unknown. */
  readonly port: number;
}

/** Checks the external address; `url` is the address in DSNs and links. */
export function checkExternalUrl({ host, port: listened }: Listening, url: string): Finding {
  const { protocol, hostname, port } = new URL(url);
  const loopback = LOOPBACK.test(hostname);
  if (protocol === 'http:' && !loopback) {
    return warn(
      'external URL',
      `${url} sends keys and events unencrypted`,
      'put TLS in front and use https in ERRGATE_EXTERNAL_URL',
    );
  }
  if (loopback && !LOOPBACK.test(host)) {
    return warn(
      'external URL',
      `${url} is in DSNs, but only this machine can reach it`,
      'set ERRGATE_EXTERNAL_URL to the address that others use',
    );
  }
  if (loopback && listened !== 0 && Number(port || (protocol === 'https:' ? 443 : 80)) !== listened) {
    return warn(
      'external URL',
      `${url} has another port than the one errgate listens on (${listened})`,
      'correct ERRGATE_EXTERNAL_URL or ERRGATE_PORT',
    );
  }
  return ok('external URL', url);
}

/**
 * Checks the address that commands print. `own`: by this command's configuration; `served`: of the running service;
 * null when unknown. Printed DSNs have `own` only when it is a configured external URL (`isSet`).
 */
export function checkAddresses(
  listening: Listening,
  own: string | null,
  served: string | null,
  isSet: boolean,
): Finding {
  const finding = checkExternalUrl(listening, (isSet ? own : served) ?? own ?? 'http://localhost:0');
  if (own === null || served === null || own === served) return finding;
  if (isSet) {
    return warn(
      'external URL',
      `${own} for this command, but the running service has ${served}: DSNs printed here differ from those on its pages`,
      'set the same ERRGATE_EXTERNAL_URL for both, or unset it for this command, which then asks the service',
    );
  }
  const difference = `the address of the running service; the configuration of this command gives ${own}`;
  return { ...finding, message: `${finding.message}, ${difference}` };
}
