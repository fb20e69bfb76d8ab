import { mongo } from 'mongoose';
import { mongoHosts } from '../../src/storage/mongo/engine/mongo-hosts.ts';

export interface HostAndPort {
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 27_017;

/** Address of the server that accepts writes: of a replica set, the current primary. */
export async function primaryOf(uri: string): Promise<HostAndPort> {
  const [first = '', ...others] = mongoHosts(uri).split(', ');
  const alone = others.length === 0 && !/[?&]replicaSet=/i.test(uri) && !uri.startsWith('mongodb+srv:');
  return read(alone ? first : ((await saidPrimary(uri)) ?? first));
}

async function saidPrimary(uri: string): Promise<string | undefined> {
  const client = new mongo.MongoClient(uri);
  try {
    const hello = await client.db('admin').command({ hello: 1 });
    return (hello as { primary?: string }).primary;
  } finally {
    await client.close();
  }
}

function read(address: string): HostAndPort {
  const [, host = '', port = DEFAULT_PORT] = /^(.*?)(?::(\d+))?$/.exec(address) ?? [];
  return { host: host.replace(/^\[(.*)\]$/, '$1'), port: Number(port) };
}
