import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monotonicMicroseconds, ran, readCpuProfile, sharesByStep, type SharesByStep } from './cpu-profile.ts';
import { DIGEST_STEPS, MAIN_STEPS, type StepRule } from './profile-steps.ts';
import { startService, storeTarget } from './service.ts';
import type { FreshStore } from './stores.ts';
import { runWrk } from './wrk.ts';

/** Processor time per stored event, microseconds. */
export interface ProfileFigures {
  readonly storedPerSecond: number;
  readonly main: ThreadProfile;
  readonly digest: ThreadProfile;
  /** Threads of V8, of libuv, and that of the profiler. */
  readonly helpers: number;
}

export interface ThreadProfile extends SharesByStep {
  readonly microseconds: number;
}

/**
 * Profiles the service on a new store from the first request until the last event is readable. Shares of a thread are
 * those of its samples, its time is what the system counted. `keep`: an empty folder in
 * which the profiles stay; default none.
 */
export async function measureProfile(store: FreshStore, seconds: number, keep?: string): Promise<ProfileFigures> {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'errgate-bench-profile-'));
  try {
    const service = await startService(store, undefined, ['--cpu-prof', `--cpu-prof-dir=${folder}`]);
    try {
      const { path, key } = storeTarget(service);
      const before = service.threads();
      const from = monotonicMicroseconds();
      const load = await runWrk(service.port, path, key, seconds, Date.now());
      const events = load.requests - load.non2xx;
      await service.awaitStored(events);
      const span = { from, to: monotonicMicroseconds() };
      // The first is the main thread; the digest is the busiest of the others.
      const [main = Number.NaN, ...rest] = [...service.threads()].map(
        ([id, now]) => ((now - (before.get(id) ?? 0)) * 1e6) / events,
      );
      const [digest = Number.NaN, ...helpers] = rest.sort((a, b) => b - a);
      await service.stop();
      const profiles = readdirSync(folder).map((name) => readCpuProfile(join(folder, name)));
      const shares = (file: string, rules: readonly StepRule[]): SharesByStep => {
        const profile = profiles.find((each) => ran(each, file));
        if (profile === undefined) throw new Error(`no profile in ${folder} has ${file}`);
        return sharesByStep(profile, rules, span);
      };
      return {
        storedPerSecond: (events * 1e6) / (span.to - span.from),
        main: { microseconds: main, ...shares('/gateway/ingest-listener.js', MAIN_STEPS) },
        digest: { microseconds: digest, ...shares('/digest/digest-record.js', DIGEST_STEPS) },
        helpers: helpers.reduce((sum, each) => sum + each, 0),
      };
    } finally {
      await service.remove();
    }
  } finally {
    if (keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}
