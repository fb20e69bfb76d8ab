import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { listStoreContract } from './store.contract.ts';

describeOnMongo('MongoDB store: lists of errors', function (uri) {
  this.timeout(180_000);
  listStoreContract('MongoDB', new MongoSource(uri));
});
