import { TRPCClientError } from '@trpc/client'
import { createTranslator } from 'use-intl/core'
import { describeFailure } from '#app/limits/message.ts'
import { findRefusal, type RefusedCall } from '#app/limits/refusal.ts'
import { refusalOfHeaders } from '#app/limits/refusal-of-headers.ts'
import { refusingRuleText } from '#app/limits/rule-text.ts'
import { formatsFor } from '#format/formats.ts'
import { failures } from '#messages/en/failures.ts'
import { translate } from '#messages/translate.ts'
import { CommandFailed } from '../command.ts'

/** An answer that does not come from a procedure: for the bytes of an image, or from a proxy in front of the server. */
export class HttpFailure extends Error {
  override name = 'HttpFailure'
  readonly status: number
  /** Milliseconds, from Retry-After; null without it. */
  readonly retryAfterMs: number | null

  constructor(response: Pick<Response, 'status' | 'headers'>, text: string) {
    super(
      refusalIn(response) ??
        (text.trim().split('\n', 1)[0]?.slice(0, 300) ||
          translate('cli.connection.httpStatus', { status: `${response.status}` })),
    )
    this.status = response.status
    this.retryAfterMs = readRetryAfter(response)
  }
}

/** A failure of one file or image; the others continue. It ends a command that has only one. */
export class ItemFailed extends CommandFailed {
  override name = 'ItemFailed'

  constructor(message: string, options?: ErrorOptions) {
    super('failed', message, options)
  }
}

/** Why an attempt failed that may be repeated. */
export interface Setback {
  /** A limit refused it, the server is unavailable (503), or there was no answer. */
  readonly kind: 'refused' | 'away' | 'lost'
  /** Milliseconds that the server asks to wait; null if it does not say. */
  readonly waitMs: number | null
  readonly why: string
}

/** Returns why a failed attempt is worth a retry; null for a final failure. */
export function findSetback(thrown: unknown): Setback | null {
  const error = unwrapCause(thrown)
  const refusal = findRefusal(error)
  if (refusal) return { kind: 'refused', waitMs: refusal.waitMs, why: limitReached(refusal) }
  if (error instanceof CommandFailed || isUnreadable(error) || isFileError(error)) return null
  const { status, retryAfterMs } = answerIn(error)
  const why = describeError(error).replace(/\.$/, '')
  if (status === null) return { kind: 'lost', waitMs: null, why: whyLost(error) }
  if (status === 429) return { kind: 'refused', waitMs: retryAfterMs ?? 5_000, why }
  if (status === 503) return { kind: 'away', waitMs: retryAfterMs, why }
  return [408, 500, 502, 504].includes(status)
    ? { kind: 'lost', waitMs: retryAfterMs, why: translate('cli.connection.status', { status: `${status}` }) }
    : null
}

/** Returns a final failure: CommandFailed ends the command, ItemFailed only one item. */
export function toFinalFailure(thrown: unknown): CommandFailed {
  const error = unwrapCause(thrown)
  if (error instanceof CommandFailed) return error
  if (isUnreadable(error)) return new ItemFailed(translate('cli.connection.fileChanged'), { cause: thrown })
  // A full disk or a read-only folder would fail the next item as well.
  if (isFileError(error)) return new CommandFailed('failed', `${error.message}.`, { cause: error })
  const { status } = answerIn(error)
  const words = describeError(error)
  if (status === 401) {
    const sentence = translate('cli.connection.signInAgain', { sentence: words })
    return new CommandFailed('notSignedIn', sentence, { cause: error })
  }
  if (isScopeError(error)) return new CommandFailed('refused', words, { cause: error })
  return new ItemFailed(words, { cause: error })
}

const isScopeError = (error: unknown): boolean =>
  error instanceof TRPCClientError && error.data?.reason === 'token-scope'

/** Returns whether an error of `toFinalFailure` means that the token lacks the scope. */
export const isBeyondToken = (error: unknown): boolean => error instanceof CommandFailed && isScopeError(error.cause)

/** Returns whether the server has no such procedure: it is of an older version than this command. */
export function isUnknownProcedure(error: unknown): boolean {
  const cause = error instanceof CommandFailed ? error.cause : error
  return cause instanceof TRPCClientError && /^No procedure found/.test(cause.message)
}

const t = createTranslator({ locale: 'en', messages: { failures }, namespace: 'failures' })

const describeError = (error: unknown): string =>
  error instanceof HttpFailure ? error.message : describeFailure(error, t, ({ message }) => message)

/** Unwraps our own error from the one that a link of tRPC wraps around it. */
function unwrapCause(thrown: unknown): unknown {
  if (!(thrown instanceof TRPCClientError)) return thrown
  const { cause } = thrown
  return cause instanceof HttpFailure || cause instanceof CommandFailed ? cause : thrown
}

function answerIn(error: unknown): { readonly status: number | null; readonly retryAfterMs: number | null } {
  if (error instanceof HttpFailure) return error
  const response = error instanceof TRPCClientError ? error.meta?.response : null
  if (!(response instanceof Response)) return { status: null, retryAfterMs: null }
  return { status: response.status, retryAfterMs: readRetryAfter(response) }
}

/** Returns the limit that a 429 names in its headers; null if it names none. */
function refusalIn({ status, headers }: Pick<Response, 'status' | 'headers'>): string | null {
  if (status !== 429 || !headers.has('ratelimit')) return null
  return limitReached(refusalOfHeaders(headers))
}

const limitReached = ({ ruleSet, rule }: RefusedCall): string =>
  translate('cli.connection.limitReached', { ruleSet, rule: refusingRuleText(rule, t, formatsFor('en')) })

/** Parses Retry-After, in seconds or as a date (RFC 9110, section 10.2.3). */
function readRetryAfter({ headers }: Pick<Response, 'headers'>): number | null {
  const text = headers.get('retry-after')
  if (text === null) return null
  const ms = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isFinite(ms) ? Math.max(0, ms) : null
}

/** Returns whether the file of a request body changed after it was opened. */
const isUnreadable = (error: unknown): boolean =>
  listCauses(error).some((each) => each.name === 'NotReadableError' || each.name === 'NotFoundError')

/** Returns whether the error is one of the file system; a network error is the cause of an error of fetch. */
const isFileError = (error: unknown): error is Error => error instanceof Error && 'syscall' in error

function whyLost(error: unknown): string {
  const code = listCauses(error).flatMap((each) => ('code' in each && typeof each.code === 'string' ? [each.code] : []))
  return code[0] ? translate('cli.connection.noAnswerCode', { code: code[0] }) : translate('cli.connection.noAnswer')
}

function listCauses(error: unknown): readonly Error[] {
  const causes: Error[] = []
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each)
  return causes
}
