import { SetMetadata } from '@nestjs/common';

/**
 * Marks that packages of the host look for on a controller. The names are those packages' own, and none of them is imported: a host may
 * have none.
 */

/** Keeps a controller out of the document that `@nestjs/swagger` makes: it is no part of what the host offers its clients. */
export const OutOfOpenApi: ClassDecorator = SetMetadata('swagger/apiExcludeController', [true]);

/** What `@nestjs/throttler` looks for to leave a route alone, for the throttler of this name. */
export const throttlerSkip = (name: string): string => `THROTTLER:SKIP${name}`;

/** The token under which its options are provided. */
export const THROTTLER_OPTIONS = 'THROTTLER:MODULE_OPTIONS';
