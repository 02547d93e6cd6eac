import { z } from 'zod'
import { parseEmail } from '#server/accounts/email/address.ts'

/** The server that takes the site's mail. */
export interface MailServer {
  readonly host: string
  readonly port: number
  /** Whether the connection begins with TLS; otherwise STARTTLS follows. */
  readonly tls: boolean
  /** Null to send without signing in. */
  readonly user: string | null
}

const PORTS = { 'smtp:': 587, 'smtps:': 465 } as const

const isScheme = (protocol: string): protocol is keyof typeof PORTS => Object.hasOwn(PORTS, protocol)

/** A server as `smtp://user@host:587`, or `smtps://…`. Its password is a setting of its own, because it is a secret. */
export const mailServer = z.string().transform((text, ctx): MailServer => {
  const url = URL.canParse(text) ? new URL(text) : null
  const user = url && decode(url.username)
  if (!url || !isScheme(url.protocol) || url.hostname === '' || /[^/]/.test(url.pathname + url.search + url.hash)) {
    ctx.addIssue('must read smtp://host:587 or smtps://user@host')
    return z.NEVER
  }
  if (url.password !== '') {
    ctx.addIssue('must hold no password: set SLUICE_MAIL_PASSWORD')
    return z.NEVER
  }
  if (user === null || /\p{Cc}/u.test(user)) {
    ctx.addIssue('has a user that cannot be read: write % as %25 and @ as %40')
    return z.NEVER
  }
  const host = url.hostname.replace(/^\[|\]$/g, '')
  return { host, port: Number(url.port) || PORTS[url.protocol], tls: url.protocol === 'smtps:', user: user || null }
})

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null
  }
}

/** The password, or a stored one, which is sealed and therefore longer than any that can be entered. */
export const mailPassword = z
  .string()
  .max(30_000)
  .regex(/^\P{Cc}*$/u, 'has a line break, a tab or another character in it that nobody types')

/** The address that mail comes from. */
export const mailFrom = z.string().transform((text, ctx): string => {
  const address = parseEmail(text)
  if (address) return address.text
  ctx.addIssue('must be an address such as sluice@example.org')
  return z.NEVER
})
