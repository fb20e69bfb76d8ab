import { randomBytes } from 'node:crypto';
import type { Clock } from '../../src/domain/ports/clock.ts';
import type { Store } from '../../src/domain/ports/stores/store.ts';
import type { Project } from '../../src/domain/projects/project.ts';
import { Periodic } from '../../src/lib/periodic.ts';
import { MoveIns } from '../../src/import/move-in.ts';
import type { createTokenCipher } from '../../src/thirdparty/secrets/encrypted-token.ts';
import { createUrlGuard } from '../../src/thirdparty/guard/url-guard.ts';
import { fakeLogger } from './fake-logger.ts';
import { FrailStore } from './frail-store.ts';
import { serviceDigest } from './import-world.ts';

/** Gateway that imports linked projects, on a store that it shares with others. */
export interface MoveInGateway {
  readonly moveIns: MoveIns;
  /** Looks for imports of stopped gateways every 50 ms, once it is started. */
  readonly looks: Periodic;
  readonly frail: FrailStore;
  /** Stops the gateway as `kill -9` does: nothing it does has an effect any more. */
  kill(): void;
  /** Ends the lease of a killed gateway, as time does. */
  expire(): Promise<void>;
}

interface MoveInGatewayOptions {
  readonly store: Store;
  readonly clock: Clock;
  readonly cipher: ReturnType<typeof createTokenCipher>;
  /** Name of the lease of the import. */
  readonly run: string;
  readonly project: Project;
}

/** Makes a gateway. */
export function moveInGateway({ store, clock, cipher, run, project }: MoveInGatewayOptions): MoveInGateway {
  const owner = randomBytes(8).toString('hex');
  const frail = new FrailStore(store);
  const moveIns = new MoveIns({
    store: frail.store,
    digest: () => Promise.resolve(serviceDigest),
    clock,
    owner,
    guard: createUrlGuard({ allow: '127.0.0.1' }),
    cipher,
    logger: fakeLogger(() => () => undefined),
    watchMs: 50,
  });
  return {
    moveIns,
    looks: new Periodic({ intervalMs: 50, run: (signal) => moveIns.continueStopped(signal) }),
    frail,
    kill() {
      frail.isKilled = true;
    },
    expire: () => store.releaseLease(run, `${owner}/${project.id}`),
  };
}
