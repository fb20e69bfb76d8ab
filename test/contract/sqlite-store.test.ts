import { LOCAL_SQLITE } from '../support/store-harness.ts';
import { mergedErrorsContract, projectDataContract, storeContract } from './store.contract.ts';

storeContract('SQLite', LOCAL_SQLITE);
projectDataContract('SQLite', LOCAL_SQLITE);
mergedErrorsContract('SQLite', LOCAL_SQLITE);
