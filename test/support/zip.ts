import { crc32, deflateRawSync } from 'node:zlib';

export interface ZipEntry {
  readonly name: string;
  readonly content: Uint8Array;
  readonly deflate?: boolean;
  /** Size that its header states, if it lies. */
  readonly statedSize?: number;
}

/** Makes a zip whose offsets count from the start of `prefix`, as build tools write it. */
export function makeZip(entries: readonly ZipEntry[], prefix: Uint8Array = Buffer.alloc(0)): Buffer {
  const parts: Buffer[] = [Buffer.from(prefix)];
  const central: Buffer[] = [];
  let offset = prefix.length;
  for (const entry of entries) {
    const { local, record } = entryOf(entry, offset);
    parts.push(local);
    central.push(record);
    offset += local.length;
  }
  const directory = Buffer.concat(central);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, directory, end]);
}

function entryOf({ name, content, deflate = false, statedSize = content.length }: ZipEntry, offset: number) {
  const data = deflate ? deflateRawSync(content) : Buffer.from(content);
  const title = Buffer.from(name);
  const common = Buffer.alloc(26);
  common.writeUInt16LE(20, 0);
  common.writeUInt16LE(0x0800, 2);
  common.writeUInt16LE(deflate ? 8 : 0, 4);
  common.writeUInt32LE(crc32(content), 10);
  common.writeUInt32LE(data.length, 14);
  common.writeUInt32LE(statedSize, 18);
  common.writeUInt16LE(title.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, title, data]);
  const head = Buffer.alloc(46);
  head.writeUInt32LE(0x02014b50, 0);
  head.writeUInt16LE(20, 4);
  common.copy(head, 6, 0, 24);
  head.writeUInt32LE(offset, 42);
  return { local, record: Buffer.concat([head, title]) };
}
