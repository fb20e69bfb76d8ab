import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { parse } from 'acorn';
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

/** Returns start and end of all functions in a tree, inner ones after the ones around them. */
function functionsOf(tree: object): [number, number][] {
  const found: [number, number][] = [];
  const look = (node: object): void => {
    if ('type' in node && 'start' in node && 'end' in node && /Function/.test(String(node.type))) {
      found.push([Number(node.start), Number(node.end)]);
    }
    for (const child of Object.values(node) as unknown[]) if (typeof child === 'object' && child !== null) look(child);
  };
  look(tree);
  return found.sort(([a, b], [c, d]) => a - c || d - b);
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
      ['a.b("x",c[0]).price=()=>{@}', 'price'],
      ['this.a(b(c(d(e(1))))).price=()=>{@}', 'price'],
      ['a.class.price=()=>{@}', 'price'],
      ['a.b(c)["price"]=()=>{@}', '<anonymous>'],
      ['a.b[c]=()=>{@}', '<anonymous>'],
      ['a.b(c,function price(){@})', 'price'],
      ['a.b(c).d[()=>{@}]', '<anonymous>'],
      ['a.b`${()=>{@}}`', '<anonymous>'],
      ['a.b?.c(function price(){@})', 'price'],
      ['a.b(async e=>{@})', '<anonymous>'],
      ['a.b(async(e)=>{@})', '<anonymous>'],
      ['async function price(){await a.b(c);@}', 'price'],
      ['function*price(){a.b(yield(c));@}', 'price'],
      ['class Cart extends a.b(c){add(){@}}', 'Cart.add'],
      ['var x=a.b(c)/2/d,price=()=>{@}', 'price'],
      ['a\nof.b(c)/2/d;price=()=>{@}', 'price'],
      ['if(a.b(c))/[{]/.test(d);function price(){@}', 'price'],
      ['a.b(c)\n/e/g;function price(){@}', 'price'],
      ['a.b(c)\nfunction price(){@}', 'price'],
      ['for(a.b of c.d(e))f(function price(){@})', 'price'],
      ['a.\u{e9}t\u{e9}(b);function price(){@}', 'price'],
      ['a.b\\u0061(c);function price(){@}', 'price'],
      ['\\u0061.b(c);function price(){@}', 'price'],
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

  it('are those of the parser without shortcuts', () => {
    for (const file of ['vue/dist/vue.global.prod.js', 'acorn/dist/acorn.js']) {
      const code = readFileSync(new URL(`../../../../node_modules/${file}`, import.meta.url), 'utf8');
      const found = functionScopes(code)?.map(({ start, end }) => [start, end]);
      assert.deepEqual(found, functionsOf(parse(code, { ecmaVersion: 'latest' })), file);
    }
  });

  it('have no name where they are assigned to a computed member', () => {
    for (const target of ['a[b]', 'a.b[c]', 'a.b["c"]', 'a.b(c)[d.e]']) {
      assert.equal(functionScopes(`${target}=()=>1`)?.[0]?.name, null, target);
    }
  });

  it('are not known of scripts with a fault in an expression', () => {
    for (const fault of [
      'a.b(class)',
      'a.b(1.2.3)',
      'a.b(1x)',
      'a.b("c\n")',
      'a.b["c"',
      'a.b(c',
      'a.b(c,,d)',
      'a..b',
    ]) {
      assert.equal(functionScopes(`${fault};function price(){}`), null, fault);
    }
    assert.equal(functionScopes('"use strict";a.b(012)'), null, 'a number that strict code has not');
    assert.equal(functionScopes('a.b(012)')?.length, 0);
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
