const units = ['bytes', 'kB', 'MB', 'GB', 'TB']

/** Bytes for people, in the unit that fits, to three figures: more than pages write, for here two sizes are told apart. As
 *  everywhere a kB has 1,024. */
export function readableBytes(bytes: number): string {
  let value = bytes
  let unit = 0
  while (value >= 1_024 && unit < units.length - 1) {
    value /= 1_024
    unit += 1
  }
  const digits = unit === 0 || value >= 100 ? 0 : value >= 10 ? 1 : 2
  return `${value.toLocaleString('en', { maximumFractionDigits: digits })} ${units[unit]}`
}

/** Says how large a thing is and how large it may be; to the byte where both would read alike. */
export function beyondWords(size: number, most: number): string {
  const [had, may] = [readableBytes(size), readableBytes(most)]
  if (had !== may) return `has ${had}; at most ${may} are taken`
  return `has ${size.toLocaleString('en')} bytes; at most ${most.toLocaleString('en')} are taken`
}
