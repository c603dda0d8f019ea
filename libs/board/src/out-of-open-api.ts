import { SetMetadata } from '@nestjs/common';

/** Keeps a controller out of the document that the host's `@nestjs/swagger` makes, if it has that package: pages for people are no interface. */
export const OutOfOpenApi: ClassDecorator = SetMetadata('swagger/apiExcludeController', [true]);
