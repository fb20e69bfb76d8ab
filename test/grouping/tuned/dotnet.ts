import { different, same } from '../pair.ts';
import { dotnet } from '../shapes/dotnet.ts';

const shop = (version: string) => `[Acme.Shop, Version=${version}, Culture=neutral, PublicKeyToken=null]`;
const add = `
  Acme.Shop.CartService::void Add(Item item) in /src/Acme.Shop/CartService.cs:line 42 ${shop('1.0.0.0')}
  Acme.Shop.CartController::IActionResult Post(Item item) in /src/Acme.Shop/CartController.cs:line 20 ${shop('1.0.0.0')}
  Microsoft.AspNetCore.Mvc.Infrastructure.ActionMethodExecutor+SyncActionResultExecutor::ValueTask<IActionResult> Execute()`;
const invalid = { type: 'System.InvalidOperationException', value: 'The cart is closed.', stack: add };

export const dotnetPairs = [
  same(
    'another version of the assembly and moved lines',
    dotnet(invalid),
    dotnet({ ...invalid, stack: add.replaceAll('1.0.0.0', '1.4.2.0').replace('line 42', 'line 51') }),
  ),
  same(
    'plain and demystified stack traces',
    dotnet({ ...invalid, stack: `Acme.Shop.CartService::Add in /src/CartService.cs:line 42 ${shop('1.0.0.0')}` }),
    dotnet({
      ...invalid,
      stack: `Acme.Shop.CartService::void Add(Item item) in /src/CartService.cs:line 42 ${shop('1.0.0.0')}`,
    }),
  ),
  same(
    'state machines of async methods renumbered',
    dotnet({
      ...invalid,
      stack: `
        Acme.Shop.OrderService+<PlaceAsync>d__12::MoveNext in /src/OrderService.cs:line 30 ${shop('1.0.0.0')}
        System.Runtime.CompilerServices.TaskAwaiter::ThrowForNonSuccess
        Acme.Shop.OrderController+<Post>d__3::MoveNext in /src/OrderController.cs:line 12 ${shop('1.0.0.0')}`,
    }),
    dotnet({
      ...invalid,
      stack: `
        Acme.Shop.OrderService+<PlaceAsync>d__14::MoveNext in /src/OrderService.cs:line 33 ${shop('1.1.0.0')}
        System.Runtime.CompilerServices.TaskAwaiter::ThrowForNonSuccess
        Acme.Shop.OrderController+<Post>d__4::MoveNext in /src/OrderController.cs:line 12 ${shop('1.1.0.0')}`,
    }),
  ),
  same(
    'lambdas and local functions renumbered',
    dotnet({
      ...invalid,
      stack: `
        Acme.Shop.Import+<>c__DisplayClass4_0::<Read>b__1 in /src/Import.cs:line 30 ${shop('1.0.0.0')}
        Acme.Shop.Import::<Run>g__Step|7_2 in /src/Import.cs:line 22 ${shop('1.0.0.0')}`,
    }),
    dotnet({
      ...invalid,
      stack: `
        Acme.Shop.Import+<>c__DisplayClass6_1::<Read>b__0 in /src/Import.cs:line 33 ${shop('1.0.0.0')}
        Acme.Shop.Import::<Run>g__Step|9_0 in /src/Import.cs:line 25 ${shop('1.0.0.0')}`,
    }),
  ),
  same(
    'generic arity and arguments',
    dotnet({
      ...invalid,
      stack: `Acme.Shop.Repository\`1::T Get<T>(int id) ${shop('1.0.0.0')}\nAcme.Shop.App::Main ${shop('1.0.0.0')}`,
    }),
    dotnet({
      ...invalid,
      stack: `Acme.Shop.Repository\`1[[Acme.Shop.Item, Acme.Shop]]::T Get<T>(int id) ${shop('1.0.0.0')}\nAcme.Shop.App::Main ${shop('1.0.0.0')}`,
    }),
  ),
  same(
    'no stack: another user and time',
    dotnet({
      type: 'System.TimeoutException',
      value: 'Timeout performing GET user:42, inst: 0, queue: 12, at 2026-03-01T12:00:00.123Z',
    }),
    dotnet({
      type: 'System.TimeoutException',
      value: 'Timeout performing GET user:97, inst: 3, queue: 4, at 2026-04-07T02:10:33.901Z',
    }),
  ),
  different(
    'one method name of two classes',
    dotnet(invalid),
    dotnet({ ...invalid, stack: add.replaceAll('CartService', 'WishService') }),
  ),
  different('two types of one place', dotnet(invalid), dotnet({ ...invalid, type: 'System.ArgumentNullException' })),
  different(
    'two async methods of one class',
    dotnet({ ...invalid, stack: `Acme.Shop.OrderService+<PlaceAsync>d__12::MoveNext ${shop('1.0.0.0')}` }),
    dotnet({ ...invalid, stack: `Acme.Shop.OrderService+<CancelAsync>d__13::MoveNext ${shop('1.0.0.0')}` }),
  ),
];
