/** Paths that are secrets: whoever knows the rest of one may delete an image. */
export const SECRET_PATH = /(\/delete\/).+/i
