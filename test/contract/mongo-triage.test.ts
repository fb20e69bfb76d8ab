import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { triageStoreContract } from './store.contract.ts';

describeOnMongo("MongoDB store: states and people's work", function (uri) {
  this.timeout(180_000);
  triageStoreContract('MongoDB', new MongoSource(uri));
});
