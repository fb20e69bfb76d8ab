import { eventBuilder, partsOf, type RawFrame } from './event-builder.ts';

const LINE = /^(?<module>.+?)::(?<name>.+?)(?: in (?<path>\S+):line (?<line>\d+))?(?: \[(?<image>.+)\])?$/;

/** `Acme.Shop.Cart::Void Add(Item item) in /src/Cart.cs:line 12 [Acme.Shop, Version=1.0.0.0, …]`. */
function frameOfDotnet(line: string): RawFrame {
  const { module = '', name, path, line: lineno, image } = partsOf(line, LINE);
  return {
    module,
    function: name,
    ...(path === undefined ? {} : { abs_path: path, filename: path, lineno: Number(lineno) }),
    ...(image === undefined ? {} : { package: image }),
    in_app: !/^(?:System|Microsoft)\b/.test(module),
  };
}

export const dotnet = eventBuilder(frameOfDotnet, {
  platform: 'csharp',
  sdk: { name: 'sentry.dotnet.aspnetcore', version: '4.12.1' },
});
