import { LOCAL_SQLITE } from '../support/store-harness.ts';
import { listStoreContract } from './store.contract.ts';

listStoreContract('SQLite', LOCAL_SQLITE);
