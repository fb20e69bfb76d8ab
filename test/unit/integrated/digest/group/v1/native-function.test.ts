import assert from 'node:assert/strict';
import { nativeFunction } from '../../../../../../src/integrated/digest/group/v1/frames/native-function.ts';

const table: [string, string | null][] = [
  ['main', 'main'],
  ['app::pay::h0123456789abcdef', 'app::pay'],
  ['app::run::{{closure}}', 'app::run::{closure}'],
  ['app::run::{closure#3}', 'app::run::{closure}'],
  ['app::{impl#3}::run', 'app::{impl}::run'],
  ['<alloc::vec::Vec<T> as core::ops::Drop>::drop', 'alloc::vec::Vec::drop'],
  ['app::parse::<u8>', 'app::parse'],
  ['core::ops::Fn<A, Output = fn() -> B>::call', 'core::ops::Fn::call'],
  ['void pay::charge(int, char const*) const', 'pay::charge'],
  ['a::(anonymous namespace)::run(int)', 'a::(anonymous namespace)::run'],
  ['pay::operator()(int)', 'pay::operator()'],
  ['pay::operator<(int)', 'pay::operator<'],
  ['pay::operator<<(int)', 'pay::operator<<'],
  ['pay::operator<=>(int)', 'pay::operator<=>'],
  ['pay::operator<<<int>(int)', 'pay::operator<<'],
  ['operator new(unsigned long)', 'operator new'],
  ['virtual thunk to pay::~pay()', 'pay::~pay'],
  ['run(int)::{lambda(int)#1}::operator()(int) const', 'run::{lambda}::operator()'],
  ['run(int)::$_12::operator()(int) const', 'run::$_::operator()'],
  ["run(int)::'lambda3'(int)::operator()(int) const", "run::'lambda'::operator()"],
  ['-[Cart pay:]', '-[Cart pay:]'],
  ['__42-[Cart pay:]_block_invoke_2', '-[Cart pay:]_block_invoke'],
  ['closure #1 in Cart.pay(card: Swift.Int) -> ()', 'Cart.pay'],
  ['(3) await resume partial function for Cart.pay(_:)', 'Cart.pay'],
  ['pay.constprop.0.isra.1', 'pay'],
  ['pay + 0x1c', 'pay'],
  ['pay::run+412', 'pay::run'],
  ['pay::operator+(int)', 'pay::operator+'],
  ['std::__1::vector<int, std::__1::allocator<int> >::at(unsigned long) const', 'std::vector::at'],
  ['std::__cxx11::basic_string<char>::append(char)', 'std::basic_string::append'],
  // What cannot be read is left alone.
  ['pay<int', 'pay<int'],
  ['pay(int', 'pay(int'],
  ['<>', '<>'],
  [`f<${'x'.repeat(2000)}>`, `f<${'x'.repeat(2000)}>`],
  ['<redacted>', null],
  ['<unknown>', null],
];

describe('group v1: names of native functions', () => {
  for (const [name, expected] of table) {
    it(name.slice(0, 60), () => assert.equal(nativeFunction(name), expected));
  }
});
