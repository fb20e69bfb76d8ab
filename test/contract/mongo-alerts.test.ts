import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { alertStoreContract } from './store.contract.ts';

describeOnMongo('MongoDB store: alerts', function (uri) {
  this.timeout(180_000);
  alertStoreContract('MongoDB', new MongoSource(uri));
});
