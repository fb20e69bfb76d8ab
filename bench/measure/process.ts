import { type ChildProcess, spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { createInterface } from 'node:readline';

/** Starts a program and returns its first line of output, which signals that it is ready. */
export async function startAndAwaitLine(
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv,
  matches: RegExp,
): Promise<{ child: ChildProcess; line: string }> {
  const child = spawn(command, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout });
  for await (const line of lines) {
    if (matches.test(line)) {
      child.stdout.resume();
      return { child, line };
    }
  }
  throw new Error(`${command} ${args.join(' ')} ended before it was ready`);
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await ended;
}

/** Resident memory of a process, MB. */
export interface Memory {
  readonly resident: number;
  /** Memory of heaps and stacks. The rest is mapped files, including the program, which the system may reclaim. */
  readonly anonymous: number;
}

/** Reads the memory of a process. Linux only; NaN elsewhere. */
export function memoryMb(pid: number): Memory {
  try {
    const text = readFileSync(`/proc/${pid}/status`, 'utf8');
    return { resident: field(text, 'VmRSS'), anonymous: field(text, 'RssAnon') };
  } catch {
    return { resident: Number.NaN, anonymous: Number.NaN };
  }
}

function field(status: string, name: string): number {
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) / 1024;
}

/** Clock ticks per second in /proc; equal on all supported Linux systems. */
const TICKS = 100;

/** CPU seconds of a process, all threads. Linux only; NaN elsewhere. */
export function processCpuSeconds(pid: number): number {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the 12th and 13th members after it are user and system time.
    const members = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return (Number(members[11]) + Number(members[12])) / TICKS;
  } catch {
    return Number.NaN;
  }
}

/** CPU seconds of each living thread of a process, by its id; that of the main thread is the process's. Linux only. */
export function threadCpuSeconds(pid: number): ReadonlyMap<number, number> {
  const folder = `/proc/${pid}/task`;
  return new Map(
    readdirSync(folder).map((id) => {
      const [nanoseconds = ''] = readFileSync(`${folder}/${id}/schedstat`, 'utf8').split(' ');
      return [Number(id), Number(nanoseconds) / 1e9];
    }),
  );
}

/** CPU seconds of the whole machine. */
export function machineCpuSeconds(): number {
  return cpus().reduce((sum, { times }) => sum + (times.user + times.nice + times.sys + times.irq) / 1000, 0);
}
