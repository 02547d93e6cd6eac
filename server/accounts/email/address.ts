import { domainToASCII } from 'node:url'
import { z } from 'zod'
import { invalid } from '#server/errors/invalid.ts'

/** An e-mail address. */
export interface EmailAddress {
  /** As it was written, but for white space around it. */
  readonly text: string
  /** As mail servers read it: with the domain in ASCII (UTS 46). */
  readonly wire: string
  /** The same in lower case, for comparing. */
  readonly key: string
}

/** RFC 5321: of the local part, and of the whole. */
const MOST_LOCAL = 64
const MOST = 254

/** Dot-atoms of RFC 5322. Quoted local parts, comments and literal addresses are left out: programs disagree about where they end. */
const LOCAL = /^[a-z0-9!#$%&'*+/=?^_`{|}~-]+(?:\.[a-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/i
const DOMAIN = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/

/** Returns an address; null for text that is none, or one that mail programs could read as another. The domain may be international. */
export function parseEmail(text: string): EmailAddress | null {
  const trimmed = text.trim()
  const at = trimmed.lastIndexOf('@')
  const [local, domain] = [trimmed.slice(0, at), trimmed.slice(at + 1)]
  if (at < 0 || local.length > MOST_LOCAL || trimmed.length > MOST || !LOCAL.test(local)) return null
  // What is not part of a host would end it where the parser sees fit.
  if (!/^[\p{L}\p{M}\p{N}.-]+$/u.test(domain)) return null
  const ascii = domainToASCII(domain)
  const wire = `${local}@${ascii}`
  return DOMAIN.test(ascii) && wire.length <= MOST ? { text: trimmed, wire, key: wire.toLowerCase() } : null
}

/** An address in an input. */
export const emailSchema = z
  .string()
  .max(500)
  .transform((text, ctx): EmailAddress => {
    const address = parseEmail(text)
    if (address) return address
    ctx.addIssue({ code: 'custom', message: invalid('email') })
    return z.NEVER
  })
