/** Deletion links and links that set a password: anyone who knows the rest of the path may use them. */
export const SECRET_PATH = /(\/(?:delete|password)\/).+/i
