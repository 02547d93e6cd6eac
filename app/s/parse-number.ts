/** Returns the whole number in a parameter of the address; null for anything else. */
export const parseNumber = (text: string | string[] | undefined): number | null =>
  typeof text === 'string' && /^\d{1,6}$/.test(text) ? Number(text) : null
