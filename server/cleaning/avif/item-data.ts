import type { Location } from './avif-items.ts'
import { BoxRefusal } from './iso-boxes.ts'

/** Returns a function that finds an item's bytes; items at the same location get the same Buffer. Throws BoxRefusal
 *  when an item lies outside of the file, or all of them together are larger than the file, since overlapping extents
 *  would inflate what is written. */
export function itemDataReader(file: Buffer, idat: Buffer) {
  const known = new Map<string, Buffer>()
  let left = file.length
  const read = ({ method, extents }: Location): Buffer => {
    const source = method === 0 ? file : idat
    const parts = extents.map(({ offset, length }) => {
      left -= length
      // A length of 0 means the rest of the file, which no picture writer uses.
      if (length === 0 || offset + length > source.length || left < 0) throw new BoxRefusal('undecodable')
      return source.subarray(offset, offset + length)
    })
    const [only] = parts
    return parts.length === 1 && only ? only : Buffer.concat(parts)
  }
  return {
    /** Bytes read so far. */
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
