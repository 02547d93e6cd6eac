import { getErrorShape, getTRPCErrorFromUnknown } from '@trpc/server'
import { createSessionCookie } from '#server/accounts/sessions/session-token.ts'
import { SESSION_SECONDS } from '#server/accounts/sessions/sessions.ts'
import { signIn } from '#server/accounts/sessions/sign-in.ts'
import { signInByLink } from '#server/accounts/sessions/sign-in-by-link.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { CompletedSignIn } from '#server/identity/complete-sign-in.ts'
import { createBrowserCookie, readBrowser } from '#server/identity/passkeys/challenges.ts'
import type { askAnyPasskey } from '#server/identity/passkeys/request-options.ts'
import { signInByPasskey } from '#server/identity/passkeys/sign-in.ts'
import { finishSignIn } from '#server/identity/second-step/finish-sign-in.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { findOutage } from '#server/outage.ts'
import { reportReasons } from '#server/reports/reasons.ts'
import type { Services } from '#server/services.ts'
import type { Context } from '#server/trpc/context.ts'
import { asUnavailable, createCallerFactory } from '#server/trpc/init.ts'
import { tooManyRequests } from '#server/trpc/limit.ts'
import { appRouter } from '#server/trpc/router.ts'
import { cookiesOfVisit } from './share-page.ts'

interface Credentials {
  readonly username: string
  readonly password: string
}

/** A form that leads to a file or a page of its own. */
type LinkForm =
  | { readonly kind: 'download'; readonly id: string }
  /** `after` and `limit` are '' for the first images of an album, as many as a zip has. */
  | { readonly kind: 'zip'; readonly id: string; readonly after: string; readonly limit: string }
  | { readonly kind: 'delete'; readonly link: string }

/** A form that opens a visit to a share. */
type ShareForm = { readonly kind: 'share'; readonly link: string; readonly password: string }

/** A form that reports images: by their IDs, or by their names in a share. */
interface ReportForm {
  readonly kind: 'report'
  readonly ids: readonly string[]
  /** The share's token; '' for none. */
  readonly link: string
  readonly visit: string
  readonly reason: string
  readonly text: string
}

/** The second step of a sign-in. */
interface VerifyForm {
  readonly kind: 'verify'
  readonly method: string
  readonly answer: string
  /** Whether the device needs no second step from now on. */
  readonly trusts: boolean
}

/** A form about mail: asks for a link that sets a password, or uses one that confirms an address. */
type MailForm = { readonly kind: 'forgot'; readonly login: string } | { readonly kind: 'email'; readonly link: string }

/** Signs in by a one-time link of the owner. */
type SignInLinkForm = { readonly kind: 'sign-in-link'; readonly link: string }

/** A sign-in by a passkey alone. */
interface PasskeyForm {
  readonly kind: 'passkey'
  readonly answer: string
}

/** A form that a guest posts. Those with a password or an answer end in a session. */
export type GuestForm =
  | ({ readonly kind: 'sign-in' } & Credentials)
  | PasskeyForm
  | VerifyForm
  | ({ readonly kind: 'sign-up'; readonly invite: string | undefined } & Credentials)
  | ({ readonly kind: 'set-up'; readonly code: string } & Credentials)
  | { readonly kind: 'password'; readonly link: string; readonly password: string; readonly repeated: string }
  | SignInLinkForm
  | LinkForm
  | MailForm
  | ShareForm
  | ReportForm

export interface FormSender {
  readonly context: Context
  readonly signal: AbortSignal
}

/** Why a form failed, as a tRPC client gets it. */
export type FormFailure = Pick<ReturnType<typeof describe>, 'message' | 'data'>

export type FormOutcome =
  /** The Set-Cookie headers of the session and its device; none if the account is ready but signing in failed. */
  | {
      readonly outcome: 'done'
      readonly cookies: readonly string[]
      /** The path to go to; none if the form says where. */
      readonly location?: string
    }
  /** The Set-Cookie header of a sign-in that needs a second step. */
  | { readonly outcome: 'second-step'; readonly cookies: readonly string[] }
  | { readonly outcome: 'failed'; readonly failure: FormFailure; readonly headers: Record<string, string> }

/** Characters of a second step's answer: a passkey's takes some thousand. */
const MAX_ANSWER = 8_000

const createCaller = createCallerFactory(appRouter)

/** Runs a guest's form by the procedures and the sign-in that every client uses, with their limits. */
export async function submitForm(app: Services, form: GuestForm, sender: FormSender): Promise<FormOutcome> {
  try {
    if (form.kind === 'sign-in') return await openSession(app, form, sender)
    if (form.kind === 'sign-in-link') return await signInByForm(app, form, sender)
    if (form.kind === 'passkey') return { outcome: 'done', cookies: await runPasskeyForm(app, form, sender) }
    if (form.kind === 'verify') return { outcome: 'done', cookies: await runVerifyForm(app, form, sender) }
    if (form.kind === 'share') return { outcome: 'done', ...(await runShareForm(app, form, sender)) }
    if (form.kind === 'report') {
      await runReportForm(form, sender)
      return { outcome: 'done', cookies: [] }
    }
    if (form.kind === 'forgot' || form.kind === 'email')
      return { outcome: 'done', cookies: [], location: await runMailForm(form, sender) }
    if (form.kind === 'download' || form.kind === 'zip' || form.kind === 'delete')
      return { outcome: 'done', cookies: [], location: await runLinkForm(form, sender) }
    const credentials = await prepareAccount(form, sender)
    // The account is ready. If signing in fails, the start page leads to the sign-in page.
    return await openSession(app, credentials, sender).catch(() => ({ outcome: 'done', cookies: [] }) as const)
  } catch (thrown) {
    return { outcome: 'failed', ...describeFailure(app, { kind: form.kind, context: sender.context }, thrown) }
  }
}

/** Returns the path that the form leads to. */
async function runMailForm(form: MailForm, { context, signal }: FormSender): Promise<string> {
  const { account } = createCaller(context, { signal })
  if (form.kind === 'forgot') {
    await account.forgotPassword({ login: form.login })
    return '/signin/forgot?sent=1'
  }
  await account.confirmEmailByLink({ link: form.link })
  return '/email/confirmed'
}

/** Returns the path that the form leads to. */
async function runLinkForm(form: LinkForm, { context, signal }: FormSender): Promise<string> {
  const { image, album } = createCaller(context, { signal })
  if (form.kind === 'download') return pathIn((await image.download({ id: form.id })).url)
  if (form.kind === 'zip') {
    const { id, after, limit } = form
    return pathIn((await album.zip({ id, ...(after && { after }), ...(limit && { limit: Number(limit) }) })).url)
  }
  const { purgeAt, ownId, isFinal } = await image.deleteByLink({ link: form.link })
  if (isFinal) return '/delete/done?final=1'
  return `/delete/done?${new URLSearchParams({ ...(purgeAt && { until: purgeAt }), ...(ownId && { own: ownId }) })}`
}

function pathIn(url: string): string {
  const { pathname, search } = new URL(url)
  return pathname + search
}

/** The form says where to go from there. */
async function runReportForm({ ids, link, visit, reason, text }: ReportForm, { context, signal }: FormSender) {
  const { report } = createCaller(context, { signal })
  if (ids.length === 0) throw refuse('report-without-image')
  const image = ids.map((id) => (link === '' ? { id } : { share: link, name: id, ...(visit && { visit }) }))
  await report.create({ image, reason: reportReasons.find((each) => each === reason) ?? 'other', text })
}

/** Returns the cookies of the visit, and the path of the page that it opens. */
async function runShareForm(app: Services, { link: token, password }: ShareForm, { context, signal }: FormSender) {
  const { visit } = await createCaller(context, { signal }).share.open({ token, ...(password && { password }) })
  return { cookies: await cookiesOfVisit(app, token, visit), location: `/s/${encodeURIComponent(token)}` }
}

async function prepareAccount(
  form: Exclude<
    GuestForm,
    LinkForm | MailForm | ShareForm | ReportForm | VerifyForm | SignInLinkForm | PasskeyForm | { kind: 'sign-in' }
  >,
  { context, signal }: FormSender,
): Promise<Credentials> {
  const { account, setup } = createCaller(context, { signal })
  const { kind, password } = form
  if (kind === 'password') {
    // A page with script has checked this.
    if (form.repeated !== password) throw refuse('passwords-differ')
    return { ...(await account.setPasswordByLink({ link: form.link, password })), password }
  }
  const { username } = form
  if (kind === 'set-up') return { ...(await setup.createOwner({ username, password, code: form.code })), password }
  const invite = form.invite === undefined ? {} : { invite: form.invite }
  return { ...(await account.signUp({ username, password, ...invite })), password }
}

/** Signs in and returns the Set-Cookie headers. Throws what a procedure would. */
async function openSession(app: Services, credentials: Credentials, sender: FormSender): Promise<FormOutcome> {
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

async function signInByForm(app: Services, { link }: SignInLinkForm, { context }: FormSender): Promise<FormOutcome> {
  return toFormOutcome(app, await signInByLink(app, { link, ...readSender(context) }))
}

/** Takes the second step and returns the Set-Cookie headers. Throws what a procedure would. */
async function runVerifyForm(
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
async function runPasskeyForm(
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

/** What a browser is to ask a passkey for, with the Set-Cookie header that binds the answer to it; or why there is nothing. */
export type PasskeyBegun =
  | {
      readonly outcome: 'begun'
      readonly options: ReturnType<typeof askAnyPasskey>
      readonly cookie: string
    }
  | Extract<FormOutcome, { outcome: 'failed' }>

/** Begins a sign-in by a passkey alone, which the form ends. */
export async function beginPasskey(app: Services, { context, signal }: FormSender): Promise<PasskeyBegun> {
  try {
    const kept = readBrowser(app.config, context.header('cookie'))
    const { identity } = createCaller(context, { signal })
    const { browser, options } = await identity.beginPasskeySignIn(kept === undefined ? {} : { browser: kept })
    return { outcome: 'begun', options, cookie: createBrowserCookie(app.config, browser) }
  } catch (thrown) {
    return { outcome: 'failed', ...describeFailure(app, { kind: 'passkey', context }, thrown) }
  }
}

/** Returns where a form comes from. */
export const readSender = ({ caller, header, requestId }: Context) => ({
  address: caller.address,
  userAgent: header('user-agent') ?? '',
  requestId,
  cookie: header('cookie'),
})

const refuseBanned = (reason: string | null) =>
  reason === null ? refuse('banned') : refuse('banned-because', { reason })

/** Describes a failed form or sign-in by a provider, and logs it if it is a fault of the server. */
export function describeFailure(
  app: Services,
  { kind, context }: { readonly kind: string; readonly context: Context },
  thrown: unknown,
): Omit<Extract<FormOutcome, { outcome: 'failed' }>, 'outcome'> {
  const cause = getTRPCErrorFromUnknown(thrown)
  const error = asUnavailable(cause) ?? cause
  const { requestId } = context
  const isFault = error.code === 'INTERNAL_SERVER_ERROR' || findOutage(error)?.isFault === true
  if (isFault) app.logFailure({ requestId, path: kind, err: error.cause ?? error }, 'form failed')
  const { message, data } = describe(error, context)
  return { failure: { message, data }, headers: rateLimitHeaders(context.decisions) }
}

function describe(error: ReturnType<typeof getTRPCErrorFromUnknown>, ctx: Context) {
  const config = appRouter._def._config
  return getErrorShape({ config, error, type: 'mutation', path: undefined, input: undefined, ctx })
}
