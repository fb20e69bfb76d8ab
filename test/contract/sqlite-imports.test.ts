import { LOCAL_SQLITE } from '../support/store-harness.ts';
import { importsContract } from './store.contract.ts';

importsContract('SQLite', LOCAL_SQLITE);
