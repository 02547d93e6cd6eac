import { z } from 'zod'

/** A setting that is a whole number, from `min` to `max`. */
export const wholeNumber = ({ min, max }: { readonly min: number; readonly max: number }) =>
  z.string().transform((text, ctx) => {
    const value = Number(text)
    if (/^\d+$/.test(text) && value >= min && value <= max) return value
    ctx.addIssue(`must be a whole number from ${min} to ${max}`)
    return z.NEVER
  })

/** A setting that is on or off. */
export const onOff = z.enum(['on', 'off'], 'must be on or off').transform((value) => value === 'on')
