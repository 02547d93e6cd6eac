import { z } from 'zod'

const factors = { B: 1, KB: 1024, MB: 1024 ** 2, GB: 1024 ** 3, TB: 1024 ** 4 } as const
const pattern = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)$/i

/** A size as people write it, such as `25MB` or `1.5GB`, in bytes; a kB has 1,024, as in the pages. Null for anything else. */
export function parseByteSize(text: string): number | null {
  const [, digits = '', unit = ''] = pattern.exec(text.trim()) ?? []
  const factor = Object.entries(factors).find(([name]) => name === unit.toUpperCase())?.[1]
  if (!factor) return null
  const bytes = Math.round(Number(digits) * factor)
  return Number.isSafeInteger(bytes) ? bytes : null
}

/** The value of a setting: a size of `min` bytes to `max`. */
export const byteSize = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.string().transform((text, ctx) => {
    const bytes = parseByteSize(text)
    if (bytes !== null && bytes >= min && bytes <= max) return bytes
    ctx.addIssue(bytes === null ? 'must be a size such as 25MB or 5GB' : `must be from ${min} to ${max} bytes`)
    return z.NEVER
  })
