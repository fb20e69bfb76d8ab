import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

interface LockedPackage {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  readonly hasInstallScript?: boolean;
}

const lockFile = new URL('../../../package-lock.json', import.meta.url);
const packageFile = new URL('../../../package.json', import.meta.url);
const { allowScripts = {} } = JSON.parse(readFileSync(packageFile, 'utf8')) as {
  allowScripts?: Record<string, boolean>;
};
const { packages } = JSON.parse(readFileSync(lockFile, 'utf8')) as { packages: Record<string, LockedPackage> };

/** Whether Node.js finds `name` from `folder`: in its own node_modules, or in one further up. */
function isLocked(folder: string, name: string): boolean {
  if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true;
  return folder !== '' && isLocked(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name);
}

describe('package-lock.json', () => {
  // `npm ci` refuses a lock file that lacks one, also one that is for another platform.
  it('names every dependency of every package', () => {
    const missing = Object.entries(packages).flatMap(([folder, { dependencies, optionalDependencies }]) =>
      Object.keys({ ...dependencies, ...optionalDependencies })
        .filter((name) => !isLocked(folder, name))
        .map((name) => `${folder} needs ${name}`),
    );
    assert.deepEqual(missing, []);
  });

  // npm 11.19 prints a notice for each package with an install script that the list does not name.
  it('has an install script only in packages whose script is refused', () => {
    const withScript = Object.entries(packages)
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([folder]) => folder.replace(/^.*node_modules\//, ''));
    assert.ok(withScript.length > 0);
    assert.deepEqual(Object.keys(allowScripts).toSorted(), [...new Set(withScript)].toSorted());
    assert.deepEqual(
      Object.entries(allowScripts).filter(([, allowed]) => allowed),
      [],
      'what runs on the machine of everybody who installs it is a decision: say why',
    );
  });
});
