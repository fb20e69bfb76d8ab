import { nullableText } from '../../http/common-schema.ts';
import { objectSchema } from '../../http/object-schema.ts';

/** What an SDK sent of an exception whose type and module were renamed by the build. */
export const rawExceptionSchema = objectSchema({
  description:
    'What the SDK sent of an exception that shows its original type and module, as of Java programs that R8 changed; absent: they are as sent',
  properties: { type: nullableText, module: nullableText },
});
