import { isIP } from 'node:net'
import ipaddr from 'ipaddr.js'
import { createTransport } from 'nodemailer'
import { parseEmail } from '#server/accounts/email/address.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { MailSettings } from '#server/site/settings.ts'
import { toMailFailure } from './failure.ts'

/** A mail as it is sent. */
export interface Message {
  /** The same in every attempt, so that mailboxes can recognise a second copy. */
  readonly id: string
  readonly siteName: string
  readonly to: string
  readonly subject: string
  readonly text: string
  readonly html: string
}

interface Delivery {
  readonly settings: MailSettings
  /** The site's own host, for EHLO and message IDs. */
  readonly host: string
  readonly signal: AbortSignal
}

const CONNECT_MS = 10_000
/** A server may think this long about one command. */
const SILENT_MS = 20_000

/** Hands a mail to the server, on a connection of its own. Rejects with a refusal that says what failed; one of FinalFailure if another
 *  attempt would not help. */
export async function deliver(message: Message, { settings, host, signal }: Delivery): Promise<void> {
  const { server, password, from } = settings
  if (server.user !== null && password === null) throw refuse('mail-no-password')
  const transport = createTransport({
    ...connection(settings),
    name: host,
    connectionTimeout: CONNECT_MS,
    greetingTimeout: CONNECT_MS,
    dnsTimeout: CONNECT_MS,
    socketTimeout: SILENT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const { subject, text, html } = message
  const [sender, to] = [toWire(from), toWire(message.to)]
  try {
    await transport.sendMail({
      from: { name: message.siteName, address: sender },
      to: { name: '', address: to },
      envelope: { from: sender, to: [to] },
      messageId: `<${message.id}@${host}>`,
      headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      ...{ subject, text, html, signal },
    })
  } catch (error) {
    throw toMailFailure(error, server.host)
  } finally {
    transport.close()
  }
}

const toWire = (address: string): string => parseEmail(address)?.wire ?? address

/**
 * A password travels by TLS with a certificate that is checked, or stays on this machine. A server that asks for none, such as a relay
 * of the own network, gets TLS if it offers it.
 */
export function connection({ server, password }: Pick<MailSettings, 'server' | 'password'>) {
  const { host, port, tls, user } = server
  const isLocal = isLoopback(host)
  return {
    ...{ host, port, secure: tls },
    requireTLS: !tls && !isLocal && user !== null,
    ...(isLocal && !tls && { tls: { rejectUnauthorized: false } }),
    ...(user !== null && { auth: { user, pass: password ?? '' } }),
  }
}

const isLoopback = (host: string): boolean =>
  host === 'localhost' || (isIP(host) !== 0 && ipaddr.process(host).range() === 'loopback')
