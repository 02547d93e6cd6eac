import { z } from 'zod'
import { parseByteSize } from '#format/bytes.ts'

/** A setting that is a size, from `min` to `max` bytes. */
export const byteSize = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.string().transform((text, ctx) => {
    // 0 needs no unit.
    const bytes = text.trim() === '0' ? 0 : parseByteSize(text)
    if (bytes !== null && bytes >= min && bytes <= max) return bytes
    ctx.addIssue(bytes === null ? 'must be a size such as 25MB or 5GB' : `must be from ${min} to ${max} bytes`)
    return z.NEVER
  })
