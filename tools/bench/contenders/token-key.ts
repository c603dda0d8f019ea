/** The name under which a host knows the key that encrypts the stores' tokens. */
export const TOKEN_KEY_ID = 'bench';
