import { createSessionCookie } from '#server/accounts/sessions/session-token.ts'
import { SESSION_SECONDS } from '#server/accounts/sessions/sessions.ts'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import { signInByLink } from '#server/accounts/sessions/sign-in-by-link.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CompletedSignIn } from '#server/identity/complete-sign-in.ts'
import { signInByPasskey } from '#server/identity/passkeys/sign-in.ts'
import { finishSignIn } from '#server/identity/second-step/finish-sign-in.ts'
import type { Services } from '#server/services.ts'
import { tooManyRequests } from '#server/trpc/limit.ts'
import { readSender } from './form-sender.ts'
import type { Credentials, FormOutcome, FormSender, PasskeyForm, SignInLinkForm, VerifyForm } from './guest-form.ts'

/** Characters of a second step's answer: a passkey's takes some thousand. */
const MAX_ANSWER = 8_000

/** Signs in and returns the Set-Cookie headers. Throws what a procedure would. */
export async function openSession(app: Services, credentials: Credentials, sender: FormSender): Promise<FormOutcome> {
  const { context, signal } = sender
  const outcome = await signIn(app, {
    username: credentials.username.slice(0, 100),
    password: credentials.password.slice(0, 1000),
    ...readSender(context),
    signal,
  })
  if (outcome.outcome === 'second-step' || outcome.outcome === 'signed-in') return toFormOutcome(app, outcome)
  if (outcome.outcome === 'wrong') throw refuse('wrong-credentials')
  if (outcome.outcome === 'banned') throw refuseBanned(outcome.reason)
  if (outcome.outcome === 'busy') throw refuse('sign-in-busy')
  if (outcome.outcome === 'passwords-off') throw refuse('passwords-off')
  context.decisions.push(outcome.decision)
  throw tooManyRequests(outcome.decision) ?? refuse('bug')
}

async function toFormOutcome({ config }: Services, completed: CompletedSignIn): Promise<FormOutcome> {
  if (completed.outcome === 'second-step') return { outcome: 'second-step', cookies: [completed.pendingCookie] }
  const session = await createSessionCookie(config, completed, SESSION_SECONDS)
  return { outcome: 'done', cookies: [session, completed.deviceCookie] }
}

export async function signInByForm(
  app: Services,
  { link }: SignInLinkForm,
  { context }: FormSender,
): Promise<FormOutcome> {
  return toFormOutcome(app, await signInByLink(app, { link, ...readSender(context) }))
}

/** Takes the second step and returns the Set-Cookie headers. Throws what a procedure would. */
export async function runVerifyForm(
  app: Services,
  { method, answer, trusts }: VerifyForm,
  { context }: FormSender,
): Promise<readonly string[]> {
  const given = { method, answer: answer.slice(0, MAX_ANSWER), trusts }
  const outcome = await finishSignIn(app, { ...given, ...readSender(context) })
  if (outcome.outcome === 'signed-in')
    return [await createSessionCookie(app.config, outcome, SESSION_SECONDS), ...outcome.cookies]
  if (outcome.outcome === 'wrong') throw outcome.error
  if (outcome.outcome === 'expired') throw refuse('sign-in-expired')
  context.decisions.push(outcome.decision)
  throw tooManyRequests(outcome.decision) ?? refuse('bug')
}

/** Signs in by a passkey and returns the Set-Cookie headers. Throws what a procedure would. */
export async function runPasskeyForm(
  app: Services,
  { answer }: PasskeyForm,
  { context }: FormSender,
): Promise<readonly string[]> {
  const outcome = await signInByPasskey(app, { answer: answer.slice(0, MAX_ANSWER), ...readSender(context) })
  if (outcome.outcome === 'signed-in')
    return [await createSessionCookie(app.config, outcome, SESSION_SECONDS), outcome.deviceCookie]
  if (outcome.outcome === 'wrong') throw outcome.error
  if (outcome.outcome === 'banned') throw refuseBanned(outcome.reason)
  context.decisions.push(outcome.decision)
  throw tooManyRequests(outcome.decision) ?? refuse('bug')
}

const refuseBanned = (reason: string | null) =>
  reason === null ? refuse('banned') : refuse('banned-because', { reason })
