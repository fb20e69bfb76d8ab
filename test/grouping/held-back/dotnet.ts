import { different, same } from '../pair.ts';
import { dotnet } from '../shapes/dotnet.ts';

const image = '[Acme.Pay, Version=2.1.0.0, Culture=neutral, PublicKeyToken=null]';

export const dotnetPairs = [
  same(
    'the awaiting frames of another runtime',
    dotnet({
      type: 'System.Net.Http.HttpRequestException',
      value: 'Connection refused (10.0.0.8:443)',
      stack: `
        Acme.Pay.Gateway::async Task<Receipt> ChargeAsync(Order order) in /src/Gateway.cs:line 20 ${image}
        System.Runtime.ExceptionServices.ExceptionDispatchInfo::void Throw()
        System.Runtime.CompilerServices.TaskAwaiter::void ThrowForNonSuccess(Task task)
        Acme.Pay.Job::async Task Run() in /src/Job.cs:line 9 ${image}`,
    }),
    dotnet({
      type: 'System.Net.Http.HttpRequestException',
      value: 'Connection refused (10.0.0.91:443)',
      stack: `
        Acme.Pay.Gateway::async Task<Receipt> ChargeAsync(Order order) in /_/src/Gateway.cs:line 24 ${image}
        Acme.Pay.Job::async Task Run() in /_/src/Job.cs:line 9 ${image}`,
    }),
  ),
  same(
    'compiled lambdas with and without a closure class',
    dotnet({
      type: 'System.FormatException',
      value: 'Input string was not in a correct format.',
      stack: `Acme.Pay.Rates+<>c::<Load>b__3_0 in /src/Rates.cs:line 30 ${image}\nAcme.Pay.Rates::Load in /src/Rates.cs:line 28 ${image}`,
    }),
    dotnet({
      type: 'System.FormatException',
      value: 'Input string was not in a correct format.',
      stack: `Acme.Pay.Rates+<>c::<Load>b__5_1 in /src/Rates.cs:line 38 ${image}\nAcme.Pay.Rates::Load in /src/Rates.cs:line 36 ${image}`,
    }),
  ),
  different(
    'another inner exception',
    dotnet([
      { type: 'System.IO.IOException', value: 'broken pipe', stack: `Acme.Pay.Wire::Send ${image}` },
      { type: 'Acme.Pay.PayException', value: 'failed', stack: `Acme.Pay.Gateway::Charge ${image}` },
    ]),
    dotnet([
      {
        type: 'System.Security.Authentication.AuthenticationException',
        value: 'bad certificate',
        stack: `Acme.Pay.Wire::Open ${image}`,
      },
      { type: 'Acme.Pay.PayException', value: 'failed', stack: `Acme.Pay.Gateway::Charge ${image}` },
    ]),
  ),
  different(
    'two overloads of other names',
    dotnet({
      type: 'System.ArgumentException',
      value: 'amount',
      stack: `Acme.Pay.Money::Money Parse(string text) ${image}`,
    }),
    dotnet({
      type: 'System.ArgumentException',
      value: 'amount',
      stack: `Acme.Pay.Money::Money FromCents(long cents) ${image}`,
    }),
  ),
  same(
    'another build folder and patch of the framework',
    dotnet({
      type: 'System.NullReferenceException',
      value: 'Object reference not set to an instance of an object.',
      stack: `
        Acme.Pay.Receipt::string Print(Order order) in C:/agent/_work/12/s/src/Receipt.cs:line 14 ${image}
        Microsoft.AspNetCore.Routing.EndpointMiddleware::Task Invoke(HttpContext httpContext)`,
    }),
    dotnet({
      type: 'System.NullReferenceException',
      value: 'Object reference not set to an instance of an object.',
      stack: `
        Acme.Pay.Receipt::string Print(Order order) in /home/runner/work/pay/src/Receipt.cs:line 17 ${image}
        Microsoft.AspNetCore.Routing.EndpointMiddleware::Task <Invoke>g__AwaitRequestTask|6_0(Endpoint endpoint, Task requestTask, ILogger logger)
        Microsoft.AspNetCore.Routing.EndpointMiddleware::Task Invoke(HttpContext httpContext)`,
    }),
  ),
];
