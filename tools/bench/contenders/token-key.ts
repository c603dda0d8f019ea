/** Under which name a host knows the key that stores' tokens are sealed with. */
export const TOKEN_KEY_ID = 'bench';
