import { functions, modules } from './frame-pairs.ts';
import { mustGroup, mustNotGroup } from './pairs.ts';

describe('group v1: frames of compiled languages', () => {
  describe('go', () => {
    mustGroup([
      functions('go', 'main.func2', 'main.func3'),
      functions('go', 'main.func2.1', 'main.func1.4'),
      functions('go', '(*Server).serve.func1.2.3', '(*Server).serve.func4.1.1'),
      functions('go', 'Map[...]', 'Map[go.shape.[]int_0]'),
      functions('go', 'run.gowrap1', 'run.gowrap2'),
      functions('go', 'Serve-range1', 'Serve-range2'),
      functions('go', 'init.0', 'init.1'),
      functions('go', '(*Store).Load', 'Store.Load'),
      functions('go', 'Store.Load-fm', 'Store.Load'),
      functions('go', 'glob..func1', 'init.func3'),
      modules('go', 'shop/vendor/github.com/jackc/pgx/v5', 'github.com/jackc/pgx/v4'),
      modules('go', 'gopkg.in/yaml.v2', 'gopkg.in/yaml.v3'),
    ]);
    mustNotGroup([
      functions('go', 'main', 'main.func1'),
      modules('go', 'github.com/acme/shop/api/v1', 'github.com/acme/shop/api/v2'),
      functions('go', 'main.func1', 'main.func1.1'),
      functions('go', 'main.func1', 'serve.func1'),
      functions('go', '(*Server).Serve', '(*Client).Serve'),
      functions('go', 'v1.Serve', 'v2.Serve'),
    ]);
  });

  describe('native', () => {
    mustGroup([
      functions('native', 'app::pay::h0123456789abcdef', 'app::pay::hfedcba9876543210'),
      functions('native', 'app::pay::h0123456789abcdef.llvm.123', 'app::pay'),
      functions('native', 'app[8d3f1f2c3a4b5c6d]::pay', 'app[1111222233334444]::pay'),
      functions('rust', 'app::run::{{closure}}', 'app::run::{closure#3}'),
      functions('rust', 'app::run::{closure#0}', 'app::run::{closure#3}'),
      functions('rust', 'alloc::vec::Vec<T,A>::push', 'alloc::vec::Vec<u8>::push'),
      functions('rust', 'app::parse::<u8>', 'app::parse::<alloc::vec::Vec<u16>>'),
      functions('rust', '<app::Cart as core::fmt::Display>::fmt', 'app::Cart::fmt'),
      functions('rust', '<app::Cart<T> as app::Pay<U>>::run', '<app::Cart<V> as app::Pay<W>>::run'),
      functions('rust', '<impl app::Pay for app::Cart>::run', 'app::Cart::run'),
      functions('c', 'void pay::charge(int, char const*) const', 'pay::charge(long)'),
      functions('c', 'std::map<int, std::pair<a, b>>::at(int const&)', 'std::map<x, y>::at(long)'),
      functions('c', 'pay.constprop.0', 'pay.isra.1.cold'),
      functions(
        'c',
        'run(int)::{lambda(int)#1}::operator()(int) const',
        'run(int)::{lambda(long)#2}::operator()(long)',
      ),
      functions('objc', '__42-[Cart pay:]_block_invoke_2', '__17-[Cart pay:]_block_invoke'),
      functions('cocoa', 'closure #1 in Cart.pay(card:)', 'closure #2 in Cart.pay(card:)'),
      functions('cocoa', 'Cart.pay(card: Swift.Int) -> Swift.Bool', 'Cart.pay(card: Swift.String) -> ()'),
      functions('native', '<redacted>', '<unknown>'),
      functions('csharp', 'Pay(System.Int32)', 'Pay(System.String)'),
      modules('csharp', 'App.Cart+<Pay>d__5', 'App.Cart+<Pay>d__12'),
      functions('csharp', '<Main>b__0_0', '<Main>b__3_1'),
      functions('csharp', 'Pay', 'async Task<Receipt> Pay<T>(Order order)'),
      functions('csharp', 'void Run(int a)+(Item i) => { }', 'void Run(int a)+() => { }'),
      functions('csharp', 'Task <Invoke>g__Await|6_0(Endpoint e)', '<Invoke>g__Await|7_1'),
      modules('csharp', 'Shop.Repository`1', 'Shop.Repository`1[[Shop.Item, Shop]]'),
      functions('csharp', 'lambda_method12', 'lambda_method7'),
      functions('csharp', '<Run>g__Inner|0_0', '<Run>g__Inner|4_1'),
      modules('csharp', 'App.Cart+<>c__DisplayClass3_0', 'App.Cart+<>c__DisplayClass9_1'),
    ]);
    mustNotGroup([
      functions('native', 'app::pay', 'app::refund'),
      functions('rust', 'app::run::{closure#0}', 'app::run'),
      functions('rust', '<app::Cart as app::Pay>::run', '<app::Order as app::Pay>::run'),
      functions('c', 'pay::operator<(int)', 'pay::operator()(int)'),
      functions('c', 'pay::operator<(int)', 'pay::operator<<(int)'),
      functions('c', 'a::(anonymous namespace)::run()', 'a::run()'),
      functions('objc', '-[Cart pay:]', '-[Cart refund:]'),
      functions('objc', '-[Cart pay:]', '+[Cart pay:]'),
      functions('csharp', '<Main>b__0_0', '<Other>b__0_0'),
      functions('csharp', 'void Run(int a)+Step(int b)', 'void Run(int a)+Stop(int b)'),
      modules('csharp', 'Shop.Repository`1', 'Shop.Registry`1'),
    ]);
  });
});
