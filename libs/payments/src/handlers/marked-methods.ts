/** A method that was marked, whether its class is a provider anywhere or not. */
export interface MarkedMethod {
  /** The prototype that has it; of a static method, the class. */
  readonly target: object;
  readonly method: string;
  readonly id: string;
}

/** Of all classes that this process has loaded, whichever application they are meant for. */
export const markedMethods: MarkedMethod[] = [];
