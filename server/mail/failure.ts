import { refuse } from '#server/errors/refuse.ts'
import { FinalFailure } from '#server/jobs/job.ts'

/** Characters of a server's reply that are kept. */
const MAX_REPLY = 200

/** Returns the failure of a delivery, for superadmins to read. A server's reply may repeat the mail: without addresses and links, one
 *  of which may set a password. */
export function toMailFailure(error: unknown, host: string): Error {
  const { code, command, response, responseCode, message } = readError(error)
  const reply = cleanReply(response || message)
  if (code === 'EABORT' || code === 'ETIMEDOUT') return refuse('mail-silent', { host })
  if (code === 'EDNS') return refuse('mail-host-unknown', { host })
  if (code === 'ETLS' || /certificate|\bssl\b|\btls\b/i.test(message)) return refuse('mail-not-secure', { host, reply })
  if (code === 'EAUTH' || code === 'ENOAUTH') return refuse('mail-sign-in', { host, reply })
  if (responseCode >= 500 && (code === 'EENVELOPE' || code === 'EMESSAGE')) {
    const sender = command === 'MAIL FROM'
    return sender ? refuse('mail-sender', { host, reply }) : new FinalFailure(refuse('mail-refused', { host, reply }))
  }
  if (responseCode >= 400) return refuse('mail-later', { host, reply })
  return refuse('mail-unreachable', { host, reply })
}

function readError(error: unknown) {
  const get = (name: string): unknown => (error instanceof Error ? Reflect.get(error, name) : undefined)
  const text = (name: string): string => String(get(name) ?? '')
  return {
    ...{ code: text('code'), command: text('command'), response: text('response'), message: text('message') },
    responseCode: Number(get('responseCode') ?? 0),
  }
}

const cleanReply = (text: string): string =>
  text
    .replaceAll(/\S*(?:@|:\/\/)\S*/g, '…')
    .replaceAll(/[\p{C}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REPLY)
