import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { importsContract } from './store.contract.ts';

describeOnMongo('MongoDB store with imported errors', function (uri) {
  this.timeout(180_000);
  importsContract('MongoDB', new MongoSource(uri));
});
