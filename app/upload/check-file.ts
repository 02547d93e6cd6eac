import { formatBytes } from '#app/ui/format.ts'

export const acceptedTypes = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const

/** Why a file cannot be kept, known before a byte of it is sent; null when it may be tried. Its content is the server's to judge. */
export function problemOf(file: Pick<File, 'size' | 'type'>, maxBytes: number): string | null {
  if (file.type !== '' && !acceptedTypes.some((type) => type === file.type))
    return 'Not a JPEG, PNG, GIF or WebP image.'
  if (file.size === 0) return 'The file is empty.'
  if (file.size > maxBytes)
    return `${formatBytes(file.size)} is more than the ${formatBytes(maxBytes)} that one image may have.`
  return null
}
