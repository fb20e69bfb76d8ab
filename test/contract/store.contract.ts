import type { StoreHarness, StoreSource } from '../support/store-harness.ts';
import { accountContract } from './store-accounts.contract.ts';
import { announcedOrderContract } from './store-announced-order.contract.ts';
import { artifactsContract } from './store-artifacts.contract.ts';
import { alertsContract } from './store-alerts.contract.ts';
import { buildsContract } from './store-builds.contract.ts';
import { auditContract } from './store-audit.contract.ts';
import { busyErrorsContract } from './store-busy-errors.contract.ts';
import { alertRetentionContract, deliveriesContract } from './store-deliveries.contract.ts';
import { factLogContract, mergedFactsContract } from './store-fact-log.contract.ts';
import { batchContract } from './store-batches.contract.ts';
import { detailContract } from './store-details.contract.ts';
import { factsContract } from './store-facts.contract.ts';
import { filesContract } from './store-files.contract.ts';
import { filterValuesContract } from './store-filter-values.contract.ts';
import { formerGroupHashesContract } from './store-former-group-hashes.contract.ts';
import { groupingUpgradeContract } from './store-grouping-upgrade.contract.ts';
import { mappedErrorsContract } from './store-mapped-errors.contract.ts';
import { identityContract } from './store-identities.contract.ts';
import { gatewayContract } from './store-gateways.contract.ts';
import { importModelContract } from './store-import-model.contract.ts';
import { importHistoryContract } from './store-import-history.contract.ts';
import { importRetentionContract } from './store-import-retention.contract.ts';
import { importMergesContract } from './store-import-merges.contract.ts';
import { importRulesContract } from './store-import-rules.contract.ts';
import { importContract } from './store-import.contract.ts';
import { importEventsContract } from './store-import-events.contract.ts';
import { linksContract } from './store-links.contract.ts';
import { invitationsContract } from './store-invitations.contract.ts';
import { listContract } from './store-lists.contract.ts';
import { blocksContract } from './store-blocks.contract.ts';
import { maintenanceContract } from './store-maintenance.contract.ts';
import { conditionsContract } from './store-conditions.contract.ts';
import { matchesContract } from './store-matches.contract.ts';
import { deletionContract } from './store-deletion.contract.ts';
import { bulkContract } from './store-bulk.contract.ts';
import { marksContract } from './store-marks.contract.ts';
import { mergeChangesContract } from './store-merge-changes.contract.ts';
import { mergePruningContract } from './store-merge-pruning.contract.ts';
import { mergeContract } from './store-merges.contract.ts';
import { modelContract } from './store-model.contract.ts';
import { overviewContract } from './store-overview.contract.ts';
import { pagingContract } from './store-paging.contract.ts';
import { projectContract } from './store-projects.contract.ts';
import { forwardContract } from './store-forwards.contract.ts';
import { protectionContract } from './store-protection.contract.ts';
import { raceContract } from './store-races.contract.ts';
import { ranksContract } from './store-ranks.contract.ts';
import { lateReleasesContract } from './store-late-releases.contract.ts';
import { regressedReleasesContract, releasesContract } from './store-releases.contract.ts';
import { reportContract } from './store-reports.contract.ts';
import { groupContract } from './store-groups.contract.ts';
import { savedViewsContract } from './store-saved-views.contract.ts';
import { sessionContract } from './store-sessions.contract.ts';
import { statesContract } from './store-states.contract.ts';
import { trackingContract } from './store-tracking.contract.ts';
import { triageContract } from './store-triage.contract.ts';
import { newestUsersContract } from './store-users.contract.ts';
import { secondFactorContract } from './store-second-factors.contract.ts';
import { webSessionContract } from './store-web-sessions.contract.ts';

type Part = (harness: () => StoreHarness) => void;

/** Parts that look at the whole store, or prune it by age, which goes on from where it ended: one for each test. */
const OF_THE_STORE: readonly Part[] = [
  identityContract,
  accountContract,
  auditContract,
  webSessionContract,
  secondFactorContract,
  projectContract,
  groupContract,
  trackingContract,
  protectionContract,
  forwardContract,
  blocksContract,
  maintenanceContract,
  gatewayContract,
  raceContract,
  mergePruningContract,
];

/** Parts that look at single projects: their tests share a store, and each makes projects of its own. */
const OF_PROJECTS: readonly Part[] = [
  batchContract,
  formerGroupHashesContract,
  groupingUpgradeContract,
  mappedErrorsContract,
  listContract,
  pagingContract,
  detailContract,
  filterValuesContract,
  releasesContract,
  newestUsersContract,
  sessionContract,
  reportContract,
  filesContract,
  artifactsContract,
  buildsContract,
  invitationsContract,
];

const OF_MERGED_ERRORS: readonly Part[] = [mergeContract, mergeChangesContract, modelContract];

const OF_TRIAGE: readonly Part[] = [
  statesContract,
  announcedOrderContract,
  triageContract,
  linksContract,
  savedViewsContract,
];

const OF_LISTS: readonly Part[] = [
  marksContract,
  bulkContract,
  ranksContract,
  conditionsContract,
  matchesContract,
  deletionContract,
  regressedReleasesContract,
  overviewContract,
  lateReleasesContract,
];

const OF_ALERTS: readonly Part[] = [
  factsContract,
  mergedFactsContract,
  factLogContract,
  alertsContract,
  deliveriesContract,
  busyErrorsContract,
];

const OF_IMPORTS: readonly Part[] = [importContract, importEventsContract, importModelContract];

/**
 * What every store must do, behind the ports of the domain. Only final states are asserted, so that a
 * store without multi-document transactions can pass. In three functions, which several files can share.
 */
export function storeContract(name: string, source: StoreSource): void {
  describe(`store contract, the whole store: ${name}`, () => {
    after(() => source.remove());
    const { harness, open, dispose } = oneStore(source);
    beforeEach(open);
    afterEach(dispose);
    for (const part of OF_THE_STORE) part(harness);
  });
}

/** The part of the contract about what a project holds. */
export function projectDataContract(name: string, source: StoreSource): void {
  sharingOneStore(`store contract, the data of projects: ${name}`, source, OF_PROJECTS);
}

/** The part of the contract about errors that are merged. */
export function mergedErrorsContract(name: string, source: StoreSource): void {
  sharingOneStore(`store contract, merged errors: ${name}`, source, OF_MERGED_ERRORS);
}

/** The part of the contract about states and what people do with errors. */
export function triageStoreContract(name: string, source: StoreSource): void {
  sharingOneStore(`store contract, states and people's work: ${name}`, source, OF_TRIAGE);
}

/** The part of the contract about lists: marks, ranks, conditions and bulk actions. */
export function listStoreContract(name: string, source: StoreSource): void {
  sharingOneStore(`store contract, lists of errors: ${name}`, source, OF_LISTS);
}

/** The part of the contract about alerts. */
export function alertStoreContract(name: string, source: StoreSource): void {
  sharingOneStore(`store contract, alerts: ${name}`, source, OF_ALERTS);
  describe(`store contract, retention of alerts: ${name}`, () => {
    after(() => source.remove());
    const { harness, open, dispose } = oneStore(source);
    beforeEach(open);
    afterEach(dispose);
    alertRetentionContract(harness);
  });
}

/** The part of the contract about history that is imported from other trackers. */
export function importsContract(name: string, source: StoreSource): void {
  sharingOneStore(`store contract, imported history: ${name}`, source, OF_IMPORTS);
  describe(`store contract, rules and retention of imported history: ${name}`, () => {
    after(() => source.remove());
    const { harness, open, dispose } = oneStore(source);
    beforeEach(open);
    afterEach(dispose);
    importRetentionContract(harness);
    importRulesContract(harness);
    importMergesContract(harness);
    importHistoryContract(harness);
  });
}

function sharingOneStore(title: string, source: StoreSource, parts: readonly Part[]): void {
  describe(title, () => {
    const { harness, open, dispose } = oneStore(source);
    before(open);
    after(async () => {
      await dispose();
      await source.remove();
    });
    for (const part of parts) part(harness);
  });
}

/** One store at a time, opened and closed by hooks. */
interface OneStore {
  readonly harness: () => StoreHarness;
  readonly open: () => Promise<void>;
  readonly dispose: () => Promise<void>;
}

function oneStore(source: StoreSource): OneStore {
  let current: StoreHarness | undefined;
  return {
    harness(): StoreHarness {
      if (current === undefined) throw new Error('there is no store outside a test');
      return current;
    },
    async open() {
      current = await source.open();
    },
    async dispose() {
      await current?.dispose();
      current = undefined;
    },
  };
}
