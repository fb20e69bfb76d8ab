import { LOCAL_SQLITE } from '../support/store-harness.ts';
import { alertStoreContract } from './store.contract.ts';

alertStoreContract('SQLite', LOCAL_SQLITE);
