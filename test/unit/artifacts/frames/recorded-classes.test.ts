import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createFrameMapper } from '../../../../src/compose/frame-mapper.ts';
import { MemoryMaps } from '../../../support/map-source.ts';
import { normalise } from '../../integrated/digest/digest-support.ts';

const fixture = (name: string) => readFileSync(new URL(`../../../fixtures/proguard/${name}`, import.meta.url), 'utf8');
const ID = '50b5a829-6101-5f9d-b939-65f2da18c546';

describe('recorded event of a program that ProGuard changed', () => {
  it('has its classes, calls that were moved into one another, and the type of its exception', async () => {
    const maps = new MemoryMaps();
    maps.addClasses(ID, fixture('mapping.txt'));
    const mapper = createFrameMapper({ integrated: { inAppInclude: [], inAppExclude: [] } }, maps);
    const sent = normalise(JSON.parse(fixture('event.json')) as Record<string, unknown>);
    const { event } = await mapper.map(42, sent);
    const [exception] = event.exceptions;
    assert.deepEqual([exception?.module, exception?.type], ['com.example.shop', 'NoPriceException']);
    assert.deepEqual(exception?.raw, { module: 'com.example.shop', type: 'b' });
    assert.deepEqual(
      exception.frames?.map((frame) => [frame.module, frame.function, frame.filename, frame.lineno, frame.in_app]),
      [
        ['com.example.shop.Shop', 'main', 'Shop.java', 24, true],
        ['com.example.shop.Shop', 'checkout', 'Shop.java', 12, true],
        ['com.example.shop.Cart', 'total', 'Cart.java', 16, true],
        ['com.example.shop.Cart', 'costOf', 'Cart.java', 23, true],
        ['com.example.shop.Prices', 'priceOf', 'Prices.java', 13, true],
      ],
    );
  });
});
