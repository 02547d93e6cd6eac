import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { freePort } from './free-port.ts'
import { selfSigned } from './self-signed.ts'

/** A mail as a server has received it. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** The whole message, headers first. */
  readonly raw: string
  readonly isSecure: boolean
  /** Who has signed in; null for nobody. */
  readonly user: string | null
}

interface Options {
  /** Who may sign in, and has to. */
  readonly account?: { readonly user: string; readonly password: string }
  /** TLS from the start. */
  readonly tls?: boolean
  /** Whether STARTTLS is offered, by a certificate that nobody trusts. */
  readonly startTls?: boolean
  /** Returns why a receiver is refused, or null; `attempt` counts from 1. */
  readonly refuse?: (to: string, attempt: number) => { code: number; text: string } | null
}

export interface TestMailServer extends AsyncDisposable {
  readonly port: number
  readonly received: readonly ReceivedMail[]
  /** Receivers that were named, refused ones too. */
  readonly attempts: readonly string[]
}

/** Starts a mail server on a free port of 127.0.0.1, which keeps what it gets. */
export async function startMailServer(options: Options = {}): Promise<TestMailServer> {
  const { account, tls = false, startTls = false, refuse = () => null } = options
  const received: ReceivedMail[] = []
  const attempts: string[] = []
  const server = new SMTPServer({
    ...selfSigned,
    secure: tls,
    authOptional: account === undefined,
    disabledCommands: [...(startTls || tls ? [] : ['STARTTLS']), ...(account ? [] : ['AUTH'])],
    allowInsecureAuth: true,
    disableReverseLookup: true,
    onAuth: ({ username, password }, _session, done) => {
      const isRight = username === account?.user && password === account?.password
      if (isRight) return done(null, { user: username })
      done(Object.assign(new Error('5.7.8 no such user or password'), { responseCode: 535 }))
    },
    onRcptTo: ({ address }, _session, done) => {
      attempts.push(address)
      const refusal = refuse(address, attempts.length)
      done(refusal && Object.assign(new Error(refusal.text), { responseCode: refusal.code }))
    },
    onData: (stream, session, done) => {
      const { mailFrom, rcptTo } = session.envelope
      void buffer(stream).then((bytes) => {
        received.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: bytes.toString(),
          isSecure: session.secure,
          user: typeof session.user === 'string' ? session.user : null,
        })
        done()
      }, done)
    },
  } satisfies SMTPServerOptions)
  // Clients leave as they like.
  server.on('error', () => undefined)
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return {
    ...{ port, received, attempts },
    [Symbol.asyncDispose]: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Starts a server that takes connections and never says anything. */
export async function startSilentServer(): Promise<AsyncDisposable & { readonly port: number; connections(): number }> {
  const sockets = new Set<Socket>()
  let count = 0
  const server = createServer((socket) => {
    count += 1
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.on('close', () => sockets.delete(socket))
  })
  const port = await freePort()
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  return {
    port,
    connections: () => count,
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

/** Returns a header of a mail, with its lines joined and its words decoded (RFC 2047). */
export function readHeader({ raw }: Pick<ReceivedMail, 'raw'>, name: string): string | null {
  const head = raw.slice(0, raw.indexOf('\r\n\r\n')).replaceAll(/\r\n[ \t]/g, ' ')
  const line = head.split('\r\n').find((each) => each.toLowerCase().startsWith(`${name.toLowerCase()}:`))
  if (line === undefined) return null
  const text = line.slice(name.length + 1).trim()
  return text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([bq])\?(.*?)\?=/gi, (_, kind: string, word: string) => {
      if (kind.toLowerCase() === 'b') return Buffer.from(word, 'base64').toString()
      return decodeQuoted(word.replaceAll('_', ' '))
    })
}

/** Returns the part of a mail with this type, decoded. */
export function readPart({ raw }: Pick<ReceivedMail, 'raw'>, type: 'text/plain' | 'text/html'): string {
  const boundary = /boundary="?([^"\r\n;]+)/.exec(raw)?.[1] ?? ''
  const part = raw.split(`--${boundary}`).find((each) => each.includes(`Content-Type: ${type}`)) ?? ''
  const at = part.indexOf('\r\n\r\n')
  const [head, body] = [part.slice(0, at), part.slice(at + 4)]
  if (/encoding: base64/i.test(head)) return Buffer.from(body, 'base64').toString().replaceAll('\r\n', '\n')
  const text = /encoding: quoted-printable/i.test(head) ? decodeQuoted(body.replaceAll(/=\r\n/g, '')) : body
  return text.replaceAll('\r\n', '\n')
}

function decodeQuoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}

/** Returns the address that a mail's button leads to. */
export const readLink = (mail: Pick<ReceivedMail, 'raw'>): string =>
  /\n(https?:\/\/\S+)\n/.exec(readPart(mail, 'text/plain'))?.[1] ?? ''
