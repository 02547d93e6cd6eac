import type { IncomingHttpHeaders } from 'node:http'
import { TRPCError } from '@trpc/server'
import type { Locale } from '#format/locale.ts'
import { translate } from '#messages/translate.ts'
import { isInviteUsable } from '#server/accounts/invites/usable-invite.ts'
import { endSession, SESSION_SECONDS } from '#server/accounts/sessions/sessions.ts'
import { type SignInAttempt, type SignInOutcome, signIn } from '#server/accounts/sessions/sign-in.ts'
import { findSignInLink } from '#server/accounts/sessions/sign-in-by-link.ts'
import type { Viewer } from '#server/accounts/viewer.ts'
import type { AlbumItem } from '#server/albums/album-item.ts'
import { toActor } from '#server/audit/audit.ts'
import { refusalMessage } from '#server/errors/refusal-message.ts'
import { listButtons, type ProviderButton } from '#server/identity/oidc/provider.ts'
import { findProviderLogout } from '#server/identity/oidc/provider-session.ts'
import { canHavePasskeys } from '#server/identity/passkeys/relying-party.ts'
import { askPasskeysOf } from '#server/identity/passkeys/request-options.ts'
import { listMethods, type SecondStepName } from '#server/identity/second-step/methods.ts'
import { findPendingSignIn } from '#server/identity/second-step/pending-sign-in.ts'
import type { ImageItem } from '#server/images/image-item.ts'
import { type RefusalData, refusalOf } from '#server/limits/describe.ts'
import { rateLimitHeaders } from '#server/limits/headers.ts'
import { previewAllowedAlbum, previewIfAllowed } from '#server/previews/find-preview.ts'
import { type Preview, previewImage } from '#server/previews/preview.ts'
import type { Services } from '#server/services.ts'
import { type PublicSite, readPublicSite } from '#server/site/public-site.ts'
import { createContext } from '#server/trpc/context.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { LimitRefusal } from '#server/trpc/limit.ts'
import { appRouter } from '#server/trpc/router.ts'
import { requestLocale } from '../request-locale.ts'
import { readSent, type SentFile } from '../upload/answers/sent-cookie.ts'
import { beginPasskey, type PasskeyBegun } from './forms/begin-passkey.ts'
import type { FormOutcome, GuestForm } from './forms/guest-form.ts'
import { submitForm } from './forms/submit-form.ts'
import { comesFromOwnPage } from './own-page.ts'
import { noteOutage, noting } from './page-outages.ts'
import { type RoundOutcome, type RoundRequest, takeRoundStep } from './provider-rounds.ts'
import { readSharePage, type SharePage } from './share-page.ts'

const createCaller = createCallerFactory(appRouter)

/** The result of a sign-in for next-auth's route; a refusal is a complete answer. */
export type SignInAnswer =
  | Extract<SignInOutcome, { outcome: 'signed-in' | 'wrong' }>
  | {
      readonly outcome: 'refused'
      readonly status: number
      readonly headers: Record<string, string>
      readonly body: unknown
    }

interface PendingStep {
  readonly methods: readonly SecondStepName[]
  /** Null if the account has no passkey that works here. */
  readonly passkey: Awaited<ReturnType<typeof askPasskeysOf>>
}

/** All of the server that pages and next-auth can reach. */
export interface PageBridge {
  readonly origin: string
  readonly secret: string
  readonly sessionSeconds: number
  site(): Promise<PublicSite>
  /** Returns the locale of a request's reader; `chosen` is what the viewer has chosen. */
  locale(headers: Headers, chosen: Locale | null): Locale
  /** Returns whether an invite code can be used. Charged with the page that calls it. */
  isInviteUsable(code: string): Promise<boolean>
  findViewer(headers: Headers): Promise<Viewer | null>
  /** Returns a caller for procedures, which are charged like any call. */
  callerFor(headers: Headers): Promise<ReturnType<typeof createCaller>>
  signIn(attempt: SignInAttempt): Promise<SignInAnswer>
  /** Returns the second step that the browser has to take, and what it asks passkeys for; null if none is pending. */
  pendingSignIn(headers: Headers): Promise<PendingStep | null>
  /** Whether browsers have passkeys for the site's address. */
  readonly canHavePasskeys: boolean
  /** Begins a sign-in by a passkey alone. */
  beginPasskey(request: { readonly headers: Headers; readonly signal: AbortSignal }): Promise<PasskeyBegun>
  /** Returns the limit that refused a call of the caller; null for any other error. */
  refusalIn(error: unknown): RefusalData | null
  /** Returns the page of a share, which shows the image `at` alone, or images `from` one on; null if there is none. Charged with the
   *  page that calls it. */
  sharePage(token: string, part: { at: number | null; from: number }, headers: Headers): Promise<SharePage | null>
  /** Returns what programs that preview links are told about an image or an album that was read; null for nothing. */
  previewImage(image: ImageItem): Promise<Preview | null>
  previewAlbum(album: AlbumItem): Promise<Preview | null>
  /** Returns what a guest's form has just uploaded, by its cookie. */
  sentFiles(headers: Headers): readonly SentFile[]
  /** Runs a guest's form. */
  submit(form: GuestForm, request: { readonly headers: Headers; readonly signal: AbortSignal }): Promise<FormOutcome>
  /** Returns the providers that people can sign in by. Charged with the page that calls it. */
  providers(): Promise<readonly ProviderButton[]>
  /** Returns whose account a one-time link signs in to; null if it cannot be used. */
  signInLink(link: string): Promise<string | null>
  /** Leads a browser to a provider, or takes it back. */
  takeRoundStep(request: Omit<RoundRequest, 'isOwn'>, headers: Headers): Promise<RoundOutcome>
  /** Ends the session of a request with these headers. Returns the address to go to, which ends the session at its provider too; null
   *  for none, false on failure. */
  signOut(headers: Headers): Promise<string | null | false>
  /** Logs an error of next-auth, by its code alone: a client may have written the rest. */
  logAuth(code: string): void
}

export function createPageBridge(app: Services): PageBridge {
  const findViewer = (headers: Headers) => noting(app.findViewer(nodeHeaders(headers)))
  const contextFor = async (headers: Headers) =>
    createContext(app, { ...pageRequest(headers), viewer: await findViewer(headers), foreignOrigin: false })
  return {
    origin: app.config.origin,
    secret: app.config.secret,
    sessionSeconds: SESSION_SECONDS,
    site: () => noting(readPublicSite(app)),
    locale: (headers, chosen) => requestLocale(nodeHeaders(headers), chosen),
    isInviteUsable: (code) => noting(isInviteUsable(app.db, code)),
    findViewer,
    callerFor: async (headers) =>
      createCaller(await contextFor(headers), { onError: ({ error }) => noteOutage(error) }),
    refusalIn: (error) =>
      error instanceof TRPCError && error.cause instanceof LimitRefusal ? error.cause.refusal : null,
    signIn: async (attempt) => {
      try {
        return toAnswer(await signIn(app, attempt))
      } catch (error) {
        // next-auth would send the error's message to the client.
        app.log.error({ err: error }, 'sign-in failed')
        return unavailable(translate('http.signInFailed'))
      }
    },
    pendingSignIn: (headers) => noting(readPending(app, headers)),
    canHavePasskeys: canHavePasskeys(app.config),
    beginPasskey: async ({ headers, signal }) => beginPasskey(app, { context: await contextFor(headers), signal }),
    sharePage: (token, part, headers) => noting(readSharePage(app, { token, ...part, headers: nodeHeaders(headers) })),
    previewImage: (image) => noting(previewIfAllowed(app, image, previewImage)),
    previewAlbum: (album) => noting(previewAllowedAlbum(app, album)),
    sentFiles: (headers) => readSent(headers.get('cookie')),
    submit: async (form, { headers, signal }) => submitForm(app, form, { context: await contextFor(headers), signal }),
    providers: () => noting(listButtons(app.db)),
    signInLink: (link) => noting(findSignInLink(app.db, link)),
    takeRoundStep: async (request, headers) =>
      takeRoundStep(
        app,
        { ...request, isOwn: comesFromOwnPage(app.config.origin, headers) },
        await contextFor(headers),
      ),
    signOut: async (headers) => {
      try {
        const viewer = await findViewer(headers)
        if (!viewer?.sessionId) return null
        const location = await findProviderLogout(app, viewer.sessionId)
        const { address, ...request } = pageRequest(headers)
        const actor = toActor({ viewer, caller: { address }, ...request })
        await endSession(app.db, actor, { sessionId: viewer.sessionId, action: 'account.signOut' })
        return location
      } catch (error) {
        app.log.error({ err: error }, 'sign-out failed')
        return false
      }
    },
    logAuth: (code) => app.log.warn({ code: String(code).slice(0, 100) }, 'next-auth'),
  }
}

async function readPending(app: Services, headers: Headers): Promise<PendingStep | null> {
  const pending = await findPendingSignIn(app, headers.get('cookie') ?? undefined)
  if (!pending) return null
  const { userId, challenge } = pending
  const passkey = challenge === null ? null : await askPasskeysOf(app, userId, challenge)
  const methods = await listMethods(app, userId)
  return { methods: passkey ? methods : methods.filter((method) => method !== 'passkey'), passkey }
}

function toAnswer(outcome: SignInOutcome): SignInAnswer {
  if (outcome.outcome === 'passwords-off')
    return {
      outcome: 'refused',
      status: 403,
      headers: {},
      body: { error: 'PasswordsOff', message: translate('errors.passwords-off') },
    }
  if (outcome.outcome === 'busy') return unavailable(translate('errors.sign-in-busy'))
  if (outcome.outcome === 'banned') return banned(outcome.reason)
  if (outcome.outcome === 'second-step') return secondStep(outcome)
  if (outcome.outcome !== 'limited') return outcome
  const limit = refusalOf(outcome.decision)
  const body = { error: 'TooManyRequests', message: limit && refusalMessage(limit), limit }
  return { outcome: 'refused', status: 429, headers: rateLimitHeaders([outcome.decision]), body }
}

function banned(reason: string | null): SignInAnswer {
  const message = reason === null ? translate('errors.banned') : translate('errors.banned-because', { reason })
  return { outcome: 'refused', status: 403, headers: {}, body: { error: 'Banned', message, reason } }
}

/** The browser or program answers with /api/auth/form/verify, and the cookie. */
function secondStep({
  pendingCookie,
  methods,
}: Extract<SignInOutcome, { outcome: 'second-step' }>): Extract<SignInAnswer, { outcome: 'refused' }> {
  const body = { error: 'SecondStep', message: translate('signIn.verifyLead'), methods }
  return { outcome: 'refused', status: 403, headers: { 'Set-Cookie': pendingCookie }, body }
}

function unavailable(message: string): SignInAnswer {
  const body = { error: 'Unavailable', message }
  return { outcome: 'refused', status: 503, headers: { 'Retry-After': '5' }, body }
}

/** What the server has noted of a request before Next received it (pages.ts). */
const pageRequest = (headers: Headers) => ({
  address: headers.get('x-sluice-address') ?? '0.0.0.0',
  requestId: headers.get('x-sluice-request-id') ?? 'page',
  header: (name: string) => headers.get(name) ?? undefined,
  locale: () => requestLocale(nodeHeaders(headers)),
})

/** Without the Authorization header: API tokens cannot open pages. */
function nodeHeaders(headers: Headers): IncomingHttpHeaders {
  const { authorization: _, ...rest } = Object.fromEntries(headers)
  return rest
}
