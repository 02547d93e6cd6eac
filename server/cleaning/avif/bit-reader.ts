import { BoxRefusal } from './iso-boxes.ts'

export type Bits = (count: number) => number

/** Returns a function that reads unsigned numbers of that many bits. It throws BoxRefusal 'undecodable' at the end. */
export function bitReader(body: Buffer): Bits {
  let at = 0
  return (count) => {
    let value = 0
    for (let bit = 0; bit < count; bit += 1) {
      const byte = body[at >> 3]
      if (byte === undefined) throw new BoxRefusal('undecodable')
      value = value * 2 + ((byte >> (7 - (at & 7))) & 1)
      at += 1
    }
    return value
  }
}
