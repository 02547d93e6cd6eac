import type { Location } from './avif-items.ts'
import { BoxRefusal } from './iso-boxes.ts'

/**
 * Makes the function that finds an item's bytes; items of the same place have the same Buffer. Throws BoxRefusal where an
 * item lies outside the file, or where all of them together have more bytes than the file: extents that overlap would
 * grow what is written from them.
 */
export function itemDataReader(file: Buffer, idat: Buffer) {
  const known = new Map<string, Buffer>()
  let left = file.length
  const read = ({ method, extents }: Location): Buffer => {
    const source = method === 0 ? file : idat
    const parts = extents.map(({ offset, length }) => {
      left -= length
      // A length of 0 stands for all the rest of the file, which no writer of pictures means.
      if (length === 0 || offset + length > source.length || left < 0) throw new BoxRefusal('undecodable')
      return source.subarray(offset, offset + length)
    })
    const [only] = parts
    return parts.length === 1 && only ? only : Buffer.concat(parts)
  }
  return {
    /** Bytes read until now. */
    bytes: () => file.length - left,
    read(location: Location | undefined): Buffer {
      if (!location || location.extents.length === 0) throw new BoxRefusal('undecodable')
      if (location.isElsewhere || location.method > 1) throw new BoxRefusal('unsupported')
      const key = JSON.stringify(location)
      const data = known.get(key) ?? read(location)
      known.set(key, data)
      return data
    },
  }
}
