import { AppError } from '../../domain/app-error.ts';
import { parseTargetDsn, targetOf } from '../../domain/projects/dsn.ts';
import { isForwardPending, type Forward } from '../../domain/ingest/forward.ts';
import type { Clock } from '../../domain/ports/clock.ts';
import { type ForwardSetup, type ForwardView, viewOfForward } from '../../domain/ports/forward-setup.ts';
import type { ForwardStore } from '../../domain/ports/stores/forward-store.ts';
import type { TokenCipher } from '../secrets/encrypted-token.ts';
import type { UrlGuard } from '../guard/url-guard.ts';

export interface ForwardSetupDeps {
  readonly store: ForwardStore;
  /** Encrypts DSNs. */
  readonly cipher: TokenCipher;
  readonly guard: Pick<UrlGuard, 'savedProblem'>;
  readonly clock: Clock;
  /** External address of this service. */
  readonly ownAddress: () => string;
}

/** Creates the set-up of forwarding. */
export function createForwardSetup(deps: ForwardSetupDeps): ForwardSetup {
  const { store, cipher, guard, clock, ownAddress } = deps;
  const viewOf = async (forward: Forward): Promise<ForwardView> => {
    const states = await store.listForwardStates(forward.projectId);
    const now = clock.now();
    return viewOfForward(forward, states, isForwardPending(states, now), now);
  };
  const targetFor = (projectId: number, dsn: string): Pick<Forward, 'sealedDsn' | 'target'> => {
    const parsed = parseTargetDsn(dsn);
    if (parsed === null) {
      throw new AppError('invalid_parameter', 'dsn is invalid: use https://public_key@host/project_id');
    }
    const target = targetOf(parsed);
    if (new URL(target).host === new URL(ownAddress()).host) {
      throw new AppError(
        'invalid_parameter',
        'dsn names this errgate itself: name the other tracker by a host of its own, which stays with it when its former name is pointed here',
      );
    }
    const problem = guard.savedProblem(target);
    if (problem !== null) throw new AppError('invalid_parameter', `dsn ${problem}`);
    return { target, sealedDsn: cipher.encrypt(dsn.trim(), projectId) };
  };
  return {
    async view(projectId) {
      const forward = await store.forward(projectId);
      return forward === null ? null : viewOf(forward);
    },
    async list() {
      return Promise.all((await store.listForwards()).map(viewOf));
    },
    async save(projectId, { dsn, until }) {
      const before = await store.forward(projectId);
      if (dsn === undefined && before === null)
        throw new AppError('invalid_parameter', 'dsn is missing: the project does not forward yet, so say where to');
      if (typeof until === 'number' && until <= clock.now()) {
        throw new AppError('invalid_parameter', 'until must be in the future');
      }
      const changed = dsn === undefined ? null : targetFor(projectId, dsn);
      const forward: Forward = {
        projectId,
        sealedDsn: changed?.sealedDsn ?? before?.sealedDsn ?? '',
        target: changed?.target ?? before?.target ?? '',
        until: until === undefined ? (before?.until ?? null) : until,
        createdAt: before?.createdAt ?? clock.now(),
      };
      await store.saveForward(forward);
      return viewOf(forward);
    },
    remove: (projectId) => store.removeForward(projectId),
  };
}
