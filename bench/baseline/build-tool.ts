/**
 * Uploads a bundle in a process of its own: `bench/baseline/build-tool.ts FILE TARGET`, the target as JSON. Prints its
 * milliseconds as JSON.
 */
import { sendBundle, type UploadTarget } from '../measure/build-tool.ts';

const [file = '', target = ''] = process.argv.slice(2);
console.log(JSON.stringify(await sendBundle(JSON.parse(target) as UploadTarget, file)));
