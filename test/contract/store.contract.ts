import type { StoreHarness } from '../support/store-harness.ts';
import { accountContract } from './store-accounts.contract.ts';
import { batchContract } from './store-batches.contract.ts';
import { detailContract } from './store-details.contract.ts';
import { filterValuesContract } from './store-filter-values.contract.ts';
import { formerLeavesContract } from './store-former-leaves.contract.ts';
import { gatewayContract } from './store-gateways.contract.ts';
import { listContract } from './store-lists.contract.ts';
import { maintenanceContract } from './store-maintenance.contract.ts';
import { mergeChangesContract } from './store-merge-changes.contract.ts';
import { mergePruningContract } from './store-merge-pruning.contract.ts';
import { mergeContract } from './store-merges.contract.ts';
import { modelContract } from './store-model.contract.ts';
import { pagingContract } from './store-paging.contract.ts';
import { projectContract } from './store-projects.contract.ts';
import { protectionContract } from './store-protection.contract.ts';
import { raceContract } from './store-races.contract.ts';
import { reportContract } from './store-reports.contract.ts';
import { sessionContract } from './store-sessions.contract.ts';
import { trackingContract } from './store-tracking.contract.ts';
import { newestUsersContract } from './store-users.contract.ts';
import { webSessionContract } from './store-web-sessions.contract.ts';

/**
 * What every store must do, behind the ports of the domain. Only final states are asserted, so that a
 * store without multi-document transactions can pass.
 */
export function storeContract(name: string, make: () => Promise<StoreHarness>): void {
  describe(`store contract: ${name}`, () => {
    let current: StoreHarness | undefined;
    beforeEach(async () => {
      current = await make();
    });
    afterEach(async () => {
      await current?.dispose();
      current = undefined;
    });
    const harness = (): StoreHarness => {
      if (current === undefined) {
        throw new Error('there is no store outside a test');
      }
      return current;
    };
    accountContract(harness);
    webSessionContract(harness);
    projectContract(harness);
    trackingContract(harness);
    protectionContract(harness);
    batchContract(harness);
    formerLeavesContract(harness);
    listContract(harness);
    pagingContract(harness);
    detailContract(harness);
    mergeContract(harness);
    mergeChangesContract(harness);
    mergePruningContract(harness);
    filterValuesContract(harness);
    newestUsersContract(harness);
    sessionContract(harness);
    reportContract(harness);
    maintenanceContract(harness);
    gatewayContract(harness);
    raceContract(harness);
    modelContract(harness);
  });
}
