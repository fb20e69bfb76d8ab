import assert from 'node:assert/strict';
import { fileSystemOf } from '../../../src/lib/file-system.ts';

describe('file systems', () => {
  it('knows the file system of a folder by its mounts', () => {
    const mounts = [
      '22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw',
      '30 22 0:25 / /dev/shm rw,nosuid shared:4 - tmpfs tmpfs rw,size=1g',
      '41 22 0:40 / /srv/my\\040data rw,relatime shared:9 master:2 - 9p share rw',
      '42 41 0:41 / /srv/my\\040data/errgate rw - xfs /dev/vdb rw',
      '43 22 0:42 / /mnt rw - ext4 /dev/vdc rw',
      '44 22 0:43 / /mnt rw - fuse.rclone remote: rw',
      '',
    ].join('\n');
    const known = {
      '/': 'ext4',
      '/var/lib': 'ext4',
      '/dev/shm/x': 'tmpfs',
      '/dev/shmem': 'ext4',
      '/srv/my data': '9p',
      '/srv/my data/other': '9p',
      '/srv/my data/errgate/journal': 'xfs',
      '/mnt/journal': 'fuse.rclone',
    };
    for (const [path, name] of Object.entries(known)) assert.equal(fileSystemOf(path, mounts), name, path);
    assert.equal(fileSystemOf('/', ''), null);
  });
});
