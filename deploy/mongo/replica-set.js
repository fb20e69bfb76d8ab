// Health check of the MongoDB in compose.yaml, for mongosh. It sets the replica set and the user of errgate up, each when
// it is missing, and ends without an error when there is a primary.
/* global db, require, rs */
const { readFileSync } = require('node:fs');
const password = (name) => readFileSync(`/secrets/mongo/${name}`, 'utf8');
db.auth('root', password('root-password'));
try {
  rs.status();
} catch (error) {
  if (error.codeName !== 'NotYetInitialized') throw error;
  // The name by which the gateways reach it.
  rs.initiate({ _id: 'rs0', members: [{ _id: 0, host: 'mongo:27017' }] });
}
if (!db.hello().isWritablePrimary) throw new Error('there is no primary yet');
const own = db.getSiblingDB('errgate');
if (own.getUser('errgate') === null) {
  const roles = [{ role: 'readWrite', db: 'errgate' }];
  own.createUser({ user: 'errgate', pwd: password('errgate-password'), roles });
}
