import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { storeContract } from './store.contract.ts';

describeOnMongo('MongoDB store', function (uri) {
  this.timeout(180_000);
  storeContract('MongoDB', new MongoSource(uri));
});
