import type { Frame } from '../../../../../domain/events/event.ts';
import { withoutBuildHash } from '../build-hash.ts';
import type { PlatformFamily } from '../platform-family.ts';

/** Ending that version 7 of the Node SDK leaves on a module name; it removes only `.js`. Later versions remove it. */
const MODULE_ENDING = /\.[cm]js$/;

/** Returns the module for the key, without parts that a run or a build makes up. Null when nothing useful is left. */
export function moduleName(frame: Frame, family: PlatformFamily): string | null {
  const module = frame.module;
  if (module === null || module === '') return null;
  switch (family) {
    case 'java':
      return javaModule(module);
    case 'javascript':
      // A module that is the end of the path adds nothing to the file name.
      if (frame.abs_path !== null && module.includes('/') && frame.abs_path.endsWith(module)) return null;
      return withoutBuildHash(module.replace(MODULE_ENDING, ''), true);
    case 'csharp':
      return csharpModule(module);
    case 'go':
      return goModule(module);
    case 'ruby':
      // Only newer engines send the class; all send the file.
      return frame.filename === null ? module : null;
    default:
      return module;
  }
}

const JAVA_LOADER = /^[\w.-]{0,100}(?:@[\w.-]{1,40})?\/{1,2}(?=[A-Za-z_$][\w$]{0,100}\.)/;
const JAVA_GENERATED =
  /_(?:ClientProxy|Subclass)$|\$Definition|\$\$|\$\d|Accessor\d|\$(?:fn__|eval|HibernateProxy|ByteBuddy|MockitoMock|auxiliary|Proxy|_)|0x/;

/**
 * Returns the module without the vendor folder and major version of a dependency:
 * `shop/vendor/github.com/jackc/pgx/v5`.
 */
function goModule(module: string): string {
  const vendor = module.lastIndexOf('/vendor/');
  const name = vendor === -1 ? module : module.slice(vendor + 8);
  if (!/[/.]v\d|@/.test(name)) return name;
  return name
    .replace(/@v\d[\w.+-]{0,64}/, '')
    .replace(/^((?:[\w-]{1,63}\.){1,8}\w{2,24}(?:\/[\w.-]{1,100}){1,2}?)[/.]v\d{1,3}(?=\/|$)/, '$1');
}

/** $$EnhancerBySpringCGLIB$$1a2b3c4d, $$SpringCGLIB$$0, $HibernateProxy$x1, _$$_jvst12_0, _ClientProxy. */
const JAVA_PROXY =
  /(?:\$\$(?:EnhancerBy[A-Za-z]{1,64}|SpringCGLIB|Enhancer)\$\$[0-9A-Fa-f]*(?:_\d+)?|\$(?:HibernateProxy|ByteBuddy|MockitoMock)\$\w*|_\$\$_j(?:avassist|vst)[\w$]*|(?:\$Proxy\$_\$\$)?_(?:ClientProxy|Subclass|WeldClientProxy)|\$Definition\$Intercepted)$/;

function javaModule(full: string): string | null {
  // Class loaders and modules of the runtime may precede the class: `app//shop.Cart`, `java.base/java.lang.Thread`.
  const module = full.includes('/') ? full.replace(JAVA_LOADER, '') : full;
  if (!JAVA_GENERATED.test(module)) return module;
  if (module.includes('$$Lambda')) return null;
  return (
    module
      .replace(/(Generated(?:Serialization)?(?:Method|Constructor)Accessor)\d+/g, '$1')
      // A proxy stands for the class it extends: its call and the call of the class's method are one.
      .replace(JAVA_PROXY, '')
      .replace(/\$Proxy\d+/g, '$$Proxy')
      .replace(/ExternalSyntheticLambda\d+/g, 'ExternalSyntheticLambda')
      // Clojure and Groovy number their functions and closures.
      .replace(/(\$fn__|\$eval)\d+/g, '$1')
      .replace(/(\$_\w{1,128}?_closure)\d+/g, '$1')
      // Anonymous classes, lambdas and coroutines are numbered in order of appearance.
      .replace(/\$\d+(?=\$|$)/g, '$$')
      // Hidden classes carry an address.
      .replace(/[./]0x[0-9a-fA-F]+/g, '')
  );
}

/** Returns the type without the number of its type arguments, and without the arguments that newer runtimes add. */
function csharpModule(module: string): string {
  const generic = module.includes('`') ? module.replace(/`\d+(?:\[.{0,500}\])?/g, '') : module;
  return csharpName(generic);
}

/** Removes compiler-made numbers of C#: display classes, lambdas, local functions, state machines. */
export function csharpName(name: string): string {
  if (!name.includes('<') && !name.includes('lambda_method')) return name;
  return name
    .replace(/__DisplayClass\d+_\d+/g, '__DisplayClass')
    .replace(/>([bd])__\d+(?:_\d+)?/g, '>$1')
    .replace(/\|\d+_\d+/g, '')
    .replace(/lambda_method\d+/g, 'lambda_method');
}
