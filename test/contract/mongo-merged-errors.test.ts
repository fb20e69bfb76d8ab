import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { mergedErrorsContract } from './store.contract.ts';

describeOnMongo('MongoDB store: merged errors', function (uri) {
  this.timeout(180_000);
  mergedErrorsContract('MongoDB', new MongoSource(uri));
});
