import { different, same } from '../pair.ts';
import { cocoa } from '../shapes/native.ts';

const app = (uuid: string) => `/private/var/containers/Bundle/Application/${uuid}/Shop.app/Shop`;
const one = app('6C1F0A2E-33B7-4D52-9E0A-1B2C3D4E5F60');
const two = app('A90B77C1-0D4E-4C3A-8F12-99887766AABB');
const bad = { type: 'EXC_BREAKPOINT', value: 'Exception 6, Code 1, Subcode 4307423872 >' };

export const swiftPairs = [
  same(
    'installed in another container, other addresses',
    cocoa({
      ...bad,
      stack: `
        0x100be1a80 ${one} Cart.add(_:) at /Users/ci/Shop/Cart.swift:42
        0x100be0010 ${one} CartViewController.tapAdd(_:) at /Users/ci/Shop/CartViewController.swift:20
        0x18f0c1234 /System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore -[UIApplication sendAction:to:from:forEvent:]`,
    }),
    cocoa({
      ...bad,
      value: 'Exception 6, Code 1, Subcode 4369229184 >',
      stack: `
        0x1047d1a80 ${two} Cart.add(_:) at /Users/runner/Shop/Cart.swift:47
        0x1047d0010 ${two} CartViewController.tapAdd(_:) at /Users/runner/Shop/CartViewController.swift:22
        0x1a30c9876 /System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore -[UIApplication sendAction:to:from:forEvent:]
        0x1a30c9000 /System/Library/PrivateFrameworks/UIKitCore.framework/UIKitCore -[UIControl sendAction:to:forEvent:]`,
    }),
  ),
  same(
    'closures renumbered',
    cocoa({
      ...bad,
      stack: `0x1 ${one} closure #1 in Feed.load() at Feed.swift:12\n0x2 ${one} Feed.load() at Feed.swift:9`,
    }),
    cocoa({
      ...bad,
      stack: `0x1 ${one} closure #2 in Feed.load() at Feed.swift:15\n0x2 ${one} Feed.load() at Feed.swift:9`,
    }),
  ),
  same(
    'parts of an async function',
    cocoa({ ...bad, stack: `0x1 ${one} (1) await resume partial function for Feed.refresh() at Feed.swift:30` }),
    cocoa({ ...bad, stack: `0x1 ${one} (3) await resume partial function for Feed.refresh() at Feed.swift:34` }),
  ),
  same(
    'an unrecognised selector of another instance',
    cocoa({
      type: 'NSInvalidArgumentException',
      value: '-[__NSCFString count]: unrecognized selector sent to instance 0x2839f4a80',
    }),
    cocoa({
      type: 'NSInvalidArgumentException',
      value: '-[__NSCFString count]: unrecognized selector sent to instance 0x600000c1d2e0',
    }),
  ),
  same(
    'Objective-C methods and moved lines',
    cocoa({ ...bad, stack: `0x11 ${one} -[ACCart addItem:] at ACCart.m:42\n0x12 ${one} main at main.m:9` }),
    cocoa({ ...bad, stack: `0x21 ${two} -[ACCart addItem:] at ACCart.m:49\n0x22 ${two} main at main.m:9` }),
  ),
  same(
    'an NSError by domain and code, other user information',
    cocoa({
      type: 'NSURLErrorDomain',
      value: 'The request timed out. (Code: -1001) https://api.acme.example/items/12',
    }),
    cocoa({
      type: 'NSURLErrorDomain',
      value: 'The request timed out. (Code: -1001) https://api.acme.example/items/908',
    }),
  ),
  different(
    'two methods',
    cocoa({ ...bad, stack: `0x1 ${one} Cart.add(_:) at Cart.swift:42` }),
    cocoa({ ...bad, stack: `0x1 ${one} Cart.remove(_:) at Cart.swift:62` }),
  ),
  different(
    'one method name of two types',
    cocoa({ ...bad, stack: `0x1 ${one} Cart.load() at Cart.swift:42` }),
    cocoa({ ...bad, stack: `0x1 ${one} Profile.load() at Profile.swift:42` }),
  ),
  different(
    'two selectors, no stack',
    cocoa({
      type: 'NSInvalidArgumentException',
      value: '-[__NSCFString count]: unrecognized selector sent to instance 0x2839f4a80',
    }),
    cocoa({
      type: 'NSInvalidArgumentException',
      value: '-[NSNull length]: unrecognized selector sent to instance 0x2839f4a80',
    }),
  ),
];
