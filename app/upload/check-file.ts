import type { ContentProblem, UploadProblem } from './problem.ts'

/** Types for the file picker. Extensions are included because some systems know no type for a file. HEIC is not named, so that
 *  Safari converts such a picture itself; one that is chosen all the same, or dropped, is converted by the server. */
export const acceptedFiles = [
  ...['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'image/avif'],
  ...['.jpg', '.jpeg', '.jfif', '.png', '.apng', '.gif', '.webp', '.avif'],
] as const

/** How many bytes at a file's beginning identify its type. */
export const headBytes = 64

/** Checks a file before it is sent; null if it may be sent. Every file that the server accepts passes. */
export async function checkFile(file: File, maxBytes: number): Promise<UploadProblem | null> {
  if (file.size === 0) return { code: 'empty' }
  if (file.size > maxBytes) return { code: 'tooLarge', size: file.size, limit: maxBytes }
  try {
    const code = checkContent(new Uint8Array(await file.slice(0, headBytes).arrayBuffer()))
    return code && { code }
  } catch {
    return { code: 'unreadable' }
  }
}

/** Checks the beginning of a file as the server does, whatever its name; null if it is an image. */
export function checkContent(head: Uint8Array): ContentProblem | null {
  const text = String.fromCharCode(...head)
  if (/^(?:\xff\xd8\xff|\x89PNG|GIF8|RIFF.{4}WEBP)/s.test(text)) return null
  if (text.slice(4, 8) === 'ftyp') return checkBrands(text.slice(8))
  return /^(?:\xef\xbb\xbf)?\s*<(?:svg|\?xml|!DOCTYPE svg)/i.test(text) ? 'svg' : 'unsupported'
}

/** Checks a file in the container that AVIF, HEIC and videos share. */
function checkBrands(brands: string): ContentProblem | null {
  return /avi[fs]|hei[cxms]/.test(brands) ? null : 'unsupported'
}
