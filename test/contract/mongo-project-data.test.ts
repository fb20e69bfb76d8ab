import { describeOnMongo } from '../support/mongo-engine.ts';
import { MongoSource } from '../support/mongo-harness.ts';
import { projectDataContract } from './store.contract.ts';

describeOnMongo('MongoDB store: the data of projects', function (uri) {
  this.timeout(180_000);
  projectDataContract('MongoDB', new MongoSource(uri));
});
