import assert from 'node:assert/strict';
import { newProjectPath, type WantedProject } from '../../../../../src/gateway/api/projects/new-project-path.ts';

describe('the path of a new project', () => {
  it('is what is given in full, or made as clients of the host expect', () => {
    const made: readonly (readonly [WantedProject, string])[] = [
      [{ path: 'acme/shop' }, 'acme/shop'],
      [{ path: 'acme/web/shop', name: 'Shop' }, 'acme/web/shop'],
      [{ name: 'Shop', path: 'shop', namespace_path: 'acme' }, 'acme/shop'],
      [{ name: 'My Shop (new)', namespace_path: 'acme/web' }, 'acme/web/my-shop-new'],
      [{ name: '.v2.', namespace_path: 'acme' }, 'acme/v2'],
    ];
    for (const [wanted, path] of made) assert.equal(newProjectPath(wanted), path);
  });

  it('is refused with what to send instead', () => {
    const refused: readonly (readonly [WantedProject, RegExp])[] = [
      [{}, /^name, path are missing, at least one parameter must be provided$/],
      [{ namespace_path: 'acme' }, /^name, path are missing/],
      [{ name: 'Shop', path: 'shop' }, /^namespace_path is missing: .*group\/shop$/],
      [{ name: 'My Shop' }, /^namespace_path is missing: .*group\/my-shop$/],
      [{ path: 'acme/shop', namespace_path: 'acme' }, /^path is invalid: .*must not contain a slash$/],
      [{ name: '???', namespace_path: 'acme' }, /^path is missing: none can be made from the name$/],
      [{ path: 'shop', namespace_path: 'api' }, /^path is invalid: The first part must not be one of/],
      [{ path: 'shop', namespace_path: 'acme/' }, /^path is invalid: Use group\/name/],
    ];
    for (const [wanted, message] of refused) {
      assert.throws(() => newProjectPath(wanted), { code: 'invalid_parameter', message });
    }
  });
});
