import { LOCAL_SQLITE } from '../support/store-harness.ts';
import { triageStoreContract } from './store.contract.ts';

triageStoreContract('SQLite', LOCAL_SQLITE);
