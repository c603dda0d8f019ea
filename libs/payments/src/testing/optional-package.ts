import { isRecord } from '../common/is-record.js';
import { TestPackageMissingError } from './testing.errors.js';

/** As an import says it, and as `require` does, whichever the host's test runner makes of it. */
const MISSING = ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'];

/**
 * A package that only tests need, so that hosts install it only there.
 * @throws TestPackageMissingError
 */
export async function optionalPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const isMissing = isRecord(error) && MISSING.some((code) => code === error['code']);
    throw isMissing ? new TestPackageMissingError(name, { cause: error }) : error;
  }
}
