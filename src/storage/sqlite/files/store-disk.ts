import { dirname } from 'node:path';
import { AppError } from '../../../domain/app-error.ts';
import { fileSystemAt } from '../../../lib/file-system.ts';

/** Names of network file systems. SQLite needs memory that is shared and locks that hold, which they do not promise. */
const NETWORK: ReadonlySet<string> = new Set([
  ...['nfs', 'nfs4', 'cifs', 'smb3', 'smbfs', 'afs', 'ceph', 'lustre', 'beegfs', 'gpfs', 'orangefs', 'glusterfs'],
  ...['fuse.sshfs', 'fuse.ceph', 'fuse.ceph-fuse', 'fuse.glusterfs', 'fuse.s3fs', 'fuse.rclone', 'fuse.gcsfuse'],
  ...['fuse.blobfuse2', 'fuse.juicefs', 'fuse.mfs', 'fuse.seaweedfs', 'fuse.davfs'],
]);

/**
 * Names of folders that a virtual machine or a sandbox has from its host. Many keep a store well, and some have no
 * shared memory.
 */
const OF_THE_HOST: ReadonlySet<string> = new Set([
  ...['9p', 'virtiofs', 'vboxsf', 'prl_fs', 'fakeowner', 'fuse.vmhgfs-fuse', 'fuse.grpcfuse', 'fuse.osxfs'],
]);

/** A file system on which SQLite is not safe. */
export interface UnfitDisk {
  /** `network`: no store is created there. `host`: people are warned. */
  readonly kind: 'network' | 'host';
  readonly message: string;
  readonly cure: string;
}

/** Returns what is wrong with the file system of a store file, which need not exist; null when nothing is known. */
export async function findUnfitDisk(file: string): Promise<UnfitDisk | null> {
  const name = await fileSystemAt(dirname(file));
  if (name === null) return null;
  const cure = 'keep the data dir on a disk of this machine (ERRGATE_DATA_DIR), or use MongoDB (ERRGATE_STORE_URL)';
  if (NETWORK.has(name)) {
    const message = `${file} is on a network file system (${name}), where SQLite can lose or damage a store`;
    return { kind: 'network', message, cure };
  }
  if (!OF_THE_HOST.has(name)) return null;
  const message = `${file} is in a folder that the host shares (${name}), where SQLite may not be safe`;
  return { kind: 'host', message, cure };
}

/**
 * Throws `invalid_configuration` when a store file would be created on a network file system. A store that is there
 * already is opened: an update must not end a service that has worked.
 */
export async function requireFitDisk(file: string): Promise<void> {
  const unfit = await findUnfitDisk(file);
  if (unfit?.kind === 'network') throw new AppError('invalid_configuration', `${unfit.message}: ${unfit.cure}`);
}
