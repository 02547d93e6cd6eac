import type { ZipEntry } from './zip-reader.ts'

/** Returns the entry of a file that is written into the zip as it is. */
export function toEntry(name: string, content: string | Uint8Array): ZipEntry {
  const size = typeof content === 'string' ? Buffer.byteLength(content) : content.length
  return { name, size, lastModified: new Date(), content }
}
