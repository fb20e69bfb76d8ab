import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join } from 'node:path';
import { tmpdir, userInfo } from 'node:os';
import { atExit } from './run-end.ts';
import { eventually } from './service-process.ts';

/** Certificate of a name, for one day. */
export interface TestCertificate {
  readonly certificate: string;
  readonly key: string;
}

/** Reverse proxy of an operator in a process of its own. */
export interface RunningProxy {
  close(): Promise<void>;
}

/** Returns the path of a program, on the path or in a folder of the system's programs; undefined when it is missing. */
export function findProgram(name: string): string | undefined {
  const folders = [
    ...(process.env['PATH'] ?? '').split(delimiter),
    '/usr/sbin',
    '/usr/local/sbin',
    '/opt/homebrew/bin',
  ];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}

export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Makes a certificate for a name in a folder. */
export function makeCertificate(folder: string, name: string): TestCertificate {
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '1'];
  const form = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  execFileSync('openssl', [...form, ...subject, '-keyout', key, '-out', certificate], { stdio: 'ignore' });
  return { certificate, key };
}

/** Makes a folder for the files of a proxy. */
export function proxyFolder(): string {
  return mkdtempSync(join(tmpdir(), 'errgate-proxy-'));
}

/** Starts a program and waits until the question is answered. Throws with its output when it ends before that. */
export async function startProxy(
  command: readonly string[],
  folder: string,
  isUp: () => Promise<boolean>,
): Promise<RunningProxy> {
  const [program = '', ...args] = command;
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child: ChildProcess = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  const forget = atExit(() => child.kill('SIGKILL'));
  child.once('exit', forget);
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const close = async (): Promise<void> => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await eventually(
      () => isUp().catch(() => false),
      (up) => up || child.exitCode !== null,
    );
    if (child.exitCode !== null) throw new Error('it has ended');
  } catch (error) {
    await close();
    throw new Error(`${program} does not answer:\n${said}`, { cause: error });
  }
  return { close };
}

/** Writes the configuration of nginx around what belongs into `http`; returns the command that starts it. */
export function nginxCommand(program: string, folder: string, http: string): string[] {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, name)};`)
    .join('\n');
  const user = userInfo().uid === 0 ? 'user root;\n' : '';
  const head = `${user}daemon off;\npid ${join(folder, 'pid')};\nevents {}\n`;
  const file = join(folder, 'nginx.conf');
  writeFileSync(file, `${head}http {\naccess_log off;\n${temporary}\n${http}}\n`);
  return [program, '-p', folder, '-c', file, '-e', 'stderr'];
}
