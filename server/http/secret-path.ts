/** Deletion links, links that set a password, confirm an address or sign in, and shares with the addresses of their bytes: anyone who
 *  knows the rest of the path may use them. */
export const SECRET_PATH = /(\/(?:delete|email|password|s|signin\/link)\/).+/i
