import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { readRoot, ROOT } from '../../support/doc-pages.ts';

/** Number of a processor in the header of ELF files. */
const MACHINES = { x64: 0x3e, arm64: 0xb7 } as const;

interface Locked {
  readonly dev?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
  readonly cpu?: readonly string[];
}

const lock = JSON.parse(readRoot('package-lock.json')) as { readonly packages: Readonly<Record<string, Locked>> };
/** Packages of the image, by their folder. */
const installed = Object.entries(lock.packages).filter(([folder, { dev }]) => folder !== '' && dev !== true);

describe('the image on another processor', () => {
  it('has each native module for arm64 too, for the same library', () => {
    const modules = installed.flatMap(([folder]) =>
      readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
        // Packages within this one have an entry of their own.
        .filter((path) => path.endsWith('.node') && !path.includes('node_modules'))
        .map((path) => join(folder, path)),
    );
    const here = modules.filter((path) => path.includes('linux-x64'));
    assert.ok(here.length > 0);
    for (const path of here) {
      const there = path.replaceAll('linux-x64', 'linux-arm64');
      assert.ok(modules.includes(there), `${path} has no twin`);
      for (const [file, machine] of [
        [path, MACHINES.x64],
        [there, MACHINES.arm64],
      ] as const) {
        const header = readFileSync(join(ROOT, file));
        assert.deepEqual([header.toString('latin1', 1, 4), header.readUInt16LE(18)], ['ELF', machine], file);
      }
    }
    assert.deepEqual(
      modules.filter((path) => !/(linux|darwin|win32)-(x64|arm64)/.test(path)),
      [],
      'a native module names no platform, so it was compiled for this one',
    );
  });

  it('installs nothing that is for one processor, or that a script would compile', () => {
    const { allowScripts } = JSON.parse(readRoot('package.json')) as {
      allowScripts: Readonly<Record<string, boolean>>;
    };
    for (const [folder, { cpu = ['x64', 'arm64'], os = ['linux'], hasInstallScript }] of installed) {
      assert.ok(cpu.includes('x64') && cpu.includes('arm64') && os.includes('linux'), folder);
      if (hasInstallScript === true) assert.equal(allowScripts[folder.replace('node_modules/', '')], false, folder);
    }
  });

  it('is built by a Dockerfile without a platform', () => {
    assert.doesNotMatch(readRoot('Dockerfile'), /--platform|TARGETARCH|amd64|x86|arm64|aarch|@sha256/);
  });

  it('runs as a number, and writes to its volume alone', () => {
    const text = readRoot('Dockerfile');
    assert.match(text, /^USER 10001:10001$/m);
    assert.match(text, /^VOLUME \/data$/m);
    const stages = text.split(/^FROM /m).slice(1);
    assert.equal(stages.length, 2);
    assert.doesNotMatch(stages[1] ?? '', /^RUN .*(npm|apt)/m);
  });
});
