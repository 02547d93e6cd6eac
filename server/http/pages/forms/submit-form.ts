import { refuse } from '#server/errors/refuse.ts'
import { reportReasons } from '#server/reports/reasons.ts'
import type { Services } from '#server/services.ts'
import { createCallerFactory } from '#server/trpc/init.ts'
import { appRouter } from '#server/trpc/router.ts'
import { cookiesOfVisit } from '../share-page.ts'
import { describeFailure } from './form-failure.ts'
import type {
  AccountForm,
  Credentials,
  FormOutcome,
  FormSender,
  GuestForm,
  LinkForm,
  MailForm,
  ReportForm,
  ShareForm,
} from './guest-form.ts'
import { openSession, runPasskeyForm, runVerifyForm, signInByForm } from './sign-in-forms.ts'

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

async function prepareAccount(form: AccountForm, { context, signal }: FormSender): Promise<Credentials> {
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
