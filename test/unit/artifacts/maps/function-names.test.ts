import assert from 'node:assert/strict';
import { functionScopes } from '../../../../src/artifacts/maps/function-scopes.ts';
import { indexSourceMap } from '../../../../src/artifacts/maps/index-source-map.ts';
import { MapIndex } from '../../../../src/artifacts/maps/map-index.ts';
import { mapFixture } from '../../../support/map-source.ts';

/** Map without places: names are those of the script. */
const EMPTY = { version: 3, sources: [], names: [], mappings: '' };

/** Returns the name of the function around the mark `@` in a script, which is taken out. */
function around(marked: string, map: object = EMPTY): string | null {
  const at = marked.indexOf('@');
  const code = marked.replace('@', '');
  const result = indexSourceMap(Buffer.from(JSON.stringify(map)), Buffer.from(code));
  assert.ok('index' in result);
  const index = new MapIndex(result.index);
  assert.ok(index.knowsFunctions);
  const line = code.slice(0, at).split('\n').length;
  return index.functionAt(line, at - code.lastIndexOf('\n', at - 1));
}

describe('functions of a minified file', () => {
  it('are named as stacks name them', () => {
    for (const [code, name] of [
      ['function price(){@}', 'price'],
      ['const price=function(){@}', 'price'],
      ['let price=async e=>{await @e}', 'price'],
      ['let price=e=>@e.cost,next=1', 'price'],
      ['exports.price=()=>{@}', 'price'],
      ['a.b.price=function(){@}', 'price'],
      ['const shop={price(){@},"add item":()=>{}}', 'price'],
      ['const shop={price(){},"add item":()=>{@}}', 'add item'],
      ['const shop={get total(){@}}', 'total'],
      ['const shop={[name]:function(){@}}', '<anonymous>'],
      ['class Cart{add(){@}}', 'Cart.add'],
      ['class Cart{constructor(){@}}', 'new Cart'],
      ['class Cart{static async load(){@}}', 'Cart.load'],
      ['class Cart{#sum(){@}}', 'Cart.#sum'],
      ['class Cart{price=()=>{@}}', 'Cart.price'],
      ['const Cart=class{add(){@}}', 'Cart.add'],
      ['class{@}', null],
      ['items.map(function(){@})', '<anonymous>'],
      ['(()=>{@})()', '<anonymous>'],
      ['@start()', null],
      ['function price(){}@', null],
      ['function price(){function inner(){}@}', 'price'],
      ['function price(){function inner(){@}}', 'inner'],
      ['function price(){return ()=>{@}}', '<anonymous>'],
      ['function price(e=()=>{@}){}', 'e'],
      ['const text="\\u{1f642}",price=()=>{@}', 'price'],
      ['// one\n\r\nfunction price(){\n  @}', 'price'],
      ['import x from"./x.js";export default function price(){@}', 'price'],
      ['with(a){b(function price(){@})}', 'price'],
      ['#!/usr/bin/env node\nfunction price(){@}', 'price'],
    ] as const) {
      // A short parameter is the name that a minifier gives.
      const expected = name === 'e' ? '<anonymous>' : name;
      if (code === 'class{@}') assert.equal(functionScopes(code.replace('@', '')), null, 'no JavaScript');
      else assert.equal(around(code), expected, code);
    }
  });

  it('have the names that the map leads to, also where it has no names', () => {
    const code = 'function t(e){@}class n{add(){}}';
    const source = 'export function readCost(item) {}\nclass Basket {\n  add() {}\n}';
    const map = { version: 3, sources: ['a.js'], sourcesContent: [source] };
    assert.equal(around(code, { ...map, mappings: 'AAAA,SAAgBA', names: ['readCost'] }), 'readCost');
    // Columns 0, 9, 15 and 21: two declarations and their names.
    const bare = { ...map, mappings: 'AAAA,SAAgB,MAChB,MAAM', names: [] };
    assert.equal(around(code, bare), 'readCost');
    assert.equal(around('function t(e){}class n{add(){@}}', bare), 'Basket.add');
    assert.equal(around('function t(e){@}', EMPTY), '<anonymous>', 'the name of a minifier says nothing');
  });

  it('are not known of what is no JavaScript, and of files beyond the bound', () => {
    assert.equal(functionScopes('<html>'), null);
    assert.equal(functionScopes(' '.repeat(17 * 1024 * 1024)), null);
    assert.equal(functionScopes(`x=${'('.repeat(200_000)}1${')'.repeat(200_000)}`), null, 'deeper than the stack');
  });

  it('are found at the same columns behind a byte order mark, which engines do not count', () => {
    for (const name of ['cart-zUTjjcmR.js', 'index-BvYxf9r-.js']) {
      const [bare, marked] = ['', '\u{feff}'].map((mark) => {
        const result = indexSourceMap(mapFixture(`${name}.map`), Buffer.from(mark + mapFixture(name).toString()));
        assert.ok('index' in result);
        return new MapIndex(result.index);
      });
      const columns = Array.from({ length: 4000 }, (_, at) => at + 1);
      const namesIn = (index: MapIndex | undefined) => columns.map((column) => index?.functionAt(1, column));
      assert.deepEqual(namesIn(marked), namesIn(bare));
      assert.ok(namesIn(bare).some((each) => each !== null && each !== '<anonymous>'));
    }
  });
});
