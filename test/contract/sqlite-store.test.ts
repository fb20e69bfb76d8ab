import { makeLocalSqlite, makeRemoteSqlite } from '../support/store-harness.ts';
import { storeContract } from './store.contract.ts';

storeContract('SQLite, writing in the same thread', makeLocalSqlite);
storeContract('SQLite, writing through a message port', makeRemoteSqlite);
