/** The image formats that Sluice takes. */
export type Format = 'jpeg' | 'png' | 'gif' | 'webp'

export const formats = {
  jpeg: { mime: 'image/jpeg', extension: 'jpg' },
  png: { mime: 'image/png', extension: 'png' },
  gif: { mime: 'image/gif', extension: 'gif' },
  webp: { mime: 'image/webp', extension: 'webp' },
} as const satisfies Record<Format, { mime: string; extension: string }>

/** Bytes of a file's beginning that `sniffFormat` wants to see. */
export const SNIFF_BYTES = 16

/** The format by a file's first bytes: never by its name or by what the client says. Null for everything else. */
export function sniffFormat(head: Uint8Array): Format | null {
  const text = Buffer.from(head.buffer, head.byteOffset, head.byteLength).toString('latin1')
  if (text.startsWith('\xff\xd8\xff')) return 'jpeg'
  if (text.startsWith('\x89PNG\r\n\x1a\n')) return 'png'
  if (/^GIF8[79]a/.test(text)) return 'gif'
  if (/^RIFF.{4}WEBPVP8[ LX]/s.test(text)) return 'webp'
  return null
}

/** 'jpg' for 'image/jpeg'; a type that no upload was stored under is a bug. */
export function extensionOf(mime: string): string {
  const format = Object.values(formats).find((known) => known.mime === mime)
  if (!format) throw new Error(`No extension for ${mime}`)
  return format.extension
}
