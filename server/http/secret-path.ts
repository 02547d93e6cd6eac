/** Deletion links: anyone who knows the rest of the path may delete the image. */
export const SECRET_PATH = /(\/delete\/).+/i
