import { TRPCClientError } from '@trpc/client'
import { createTranslator } from 'use-intl/core'
import { describeFailure } from '#app/limits/message.ts'
import { refusalOf } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'
import { failures } from '#messages/en/failures.ts'
import { CommandFailed } from '../command.ts'

/** An answer that is none of a procedure's: of the bytes of an image, or of something in front of the server. */
export class HttpFailure extends Error {
  override name = 'HttpFailure'
  readonly status: number
  /** Milliseconds, by its Retry-After; null without one. */
  readonly retryAfterMs: number | null

  constructor(response: Pick<Response, 'status' | 'headers'>, text: string) {
    super(
      refusalIn(response) ??
        (text.trim().split('\n', 1)[0]?.slice(0, 300) || `The server answered ${response.status}.`),
    )
    this.status = response.status
    this.retryAfterMs = retryAfterOf(response)
  }
}

/** What is wrong with one file or image; the others go on. Where there are none it ends the command. */
export class ItemFailed extends CommandFailed {
  override name = 'ItemFailed'

  constructor(message: string, options?: ErrorOptions) {
    super('failed', message, options)
  }
}

/** Why an attempt failed that may be made again. */
export interface Setback {
  /** A limit refused it, the server is not able to, or nobody answered. */
  readonly kind: 'refused' | 'away' | 'lost'
  /** Milliseconds that the server asks to wait; null where it says nothing. */
  readonly waitMs: number | null
  readonly why: string
}

/** What makes an attempt worth another one; null for what is final. */
export function setbackOf(thrown: unknown): Setback | null {
  const error = causeOf(thrown)
  const refusal = refusalOf(error)
  if (refusal) return { kind: 'refused', waitMs: refusal.waitMs, why: `${refusal.ruleSet} allows ${refusal.rule}` }
  if (error instanceof CommandFailed || isUnreadable(error) || isOfMachine(error)) return null
  const { status, retryAfterMs } = answerIn(error)
  const why = wordsOf(error).replace(/\.$/, '')
  if (status === null) return { kind: 'lost', waitMs: null, why: whyLost(error) }
  if (status === 429) return { kind: 'refused', waitMs: retryAfterMs ?? 5_000, why }
  if (status === 503) return { kind: 'away', waitMs: retryAfterMs, why }
  return [408, 500, 502, 504].includes(status)
    ? { kind: 'lost', waitMs: retryAfterMs, why: `it answered ${status}` }
    : null
}

/** What is final, as who it concerns: CommandFailed ends the command, ItemFailed the one item. */
export function finalOf(thrown: unknown): CommandFailed {
  const error = causeOf(thrown)
  if (error instanceof CommandFailed) return error
  if (isUnreadable(error))
    return new ItemFailed('The file changed, or could not be read, while it was sent.', { cause: thrown })
  // The next would fail for the same: a disk that is full, a folder that may not be written.
  if (isOfMachine(error)) return new CommandFailed('failed', `${error.message}.`, { cause: error })
  const { status } = answerIn(error)
  const words = wordsOf(error)
  if (status === 401) return new CommandFailed('notSignedIn', `${words} Run sluice login.`, { cause: error })
  if (isOfScope(error)) return new CommandFailed('refused', words, { cause: error })
  return new ItemFailed(words, { cause: error })
}

const isOfScope = (error: unknown): boolean => error instanceof TRPCClientError && error.data?.reason === 'token-scope'

/** Whether the token alone may not do it, of what `finalOf` has answered. */
export const isBeyondToken = (error: unknown): boolean => error instanceof CommandFailed && isOfScope(error.cause)

const t = createTranslator({ locale: 'en', messages: { failures }, namespace: 'failures' })

const wordsOf = (error: unknown): string =>
  error instanceof HttpFailure ? error.message : describeFailure(error, t, () => null)

/** Ours, where it was thrown within a link of tRPC. */
function causeOf(thrown: unknown): unknown {
  if (!(thrown instanceof TRPCClientError)) return thrown
  const { cause } = thrown
  return cause instanceof HttpFailure || cause instanceof CommandFailed ? cause : thrown
}

function answerIn(error: unknown): { readonly status: number | null; readonly retryAfterMs: number | null } {
  if (error instanceof HttpFailure) return error
  const response = error instanceof TRPCClientError ? error.meta?.response : null
  if (!(response instanceof Response)) return { status: null, retryAfterMs: null }
  return { status: response.status, retryAfterMs: retryAfterOf(response) }
}

/** The rule that a 429 names in its headers; null where they name none. */
function refusalIn({ status, headers }: Pick<Response, 'status' | 'headers'>): string | null {
  if (status !== 429 || !headers.has('ratelimit')) return null
  const { ruleSet, rule } = refusalOfHeaders(headers)
  return `${ruleSet} allows ${rule}.`
}

/** Of a header in seconds or as a date (RFC 9110, section 10.2.3). */
function retryAfterOf({ headers }: Pick<Response, 'headers'>): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

/** The file behind a body that was being sent is not what it was when it was opened. */
const isUnreadable = (error: unknown): boolean =>
  causesOf(error).some((each) => each.name === 'NotReadableError' || each.name === 'NotFoundError')

/** Of a file of this machine's; what the network says is the cause of an error of fetch. */
const isOfMachine = (error: unknown): error is Error => error instanceof Error && 'syscall' in error

function whyLost(error: unknown): string {
  const code = causesOf(error).flatMap((each) => ('code' in each && typeof each.code === 'string' ? [each.code] : []))
  return `no answer${code[0] ? ` (${code[0]})` : ''}`
}

function causesOf(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each)
  return causes
}
