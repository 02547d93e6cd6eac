import { parseEmail } from '#server/accounts/email/address.ts'
import { refuse } from '#server/errors/refuse.ts'
import type { Attempt } from '#server/jobs/job.ts'
import type { Limiter } from '#server/limits/limiter.ts'
import { chargeOf } from '#server/limits/rules/declared-route.ts'
import { deliver } from './deliver.ts'
import type { Letter } from './letter.ts'
import type { Desk, Draft } from './letters/draft.ts'
import { mailByAddress, mailOfSite } from './limits.ts'
import { renderHtml, renderText } from './render.ts'

/** Writes a mail and hands it to the server. The attempt's ID becomes the mail's. Rejects like `deliver`. */
export async function sendDraft({ site, config }: Desk, draft: Draft, { id, signal }: Attempt): Promise<void> {
  const { mail: settings, name: siteName, accent } = site.read()
  if (!settings) throw refuse('mail-off')
  const content = await draft.write()
  const message = {
    ...{ id, siteName, to: draft.to, subject: content.title },
    text: renderText(content, siteName),
    html: renderHtml(content, { locale: draft.locale, siteName, accent }),
  }
  await deliver(message, { settings, host: new URL(config.origin).hostname, signal })
}

/** Takes permits for a mail to an address; null if it must not get more of the kind. Throws if the site has to wait. */
export async function takePermits(limiter: Pick<Limiter, 'reserve'>, kind: Letter['kind'], to: string) {
  const subject = `${kind}\n${parseEmail(to)?.key ?? to}`
  const [byAddress, ofSite] = await Promise.all([
    limiter.reserve(...chargeOf(mailByAddress, { subject })),
    limiter.reserve(...chargeOf(mailOfSite, { subject: 'site' })),
  ])
  const refund = async () => void (await Promise.all([byAddress.refund(), ofSite.refund()]))
  if (byAddress.decision.allowed && ofSite.decision.allowed) return { refund }
  await refund()
  if (!byAddress.decision.allowed) return null
  throw refuse('mail-paused')
}
