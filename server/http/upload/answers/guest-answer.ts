import type { ServerResponse } from 'node:http'
import { getTRPCErrorFromUnknown } from '@trpc/server'
import { translatorFor } from '#messages/translate.ts'
import { Refused } from '#server/errors/refused.ts'
import { writeProblem } from '#server/http/answers.ts'
import { limitHeaders } from '#server/http/limit-headers.ts'
import { requestLocale } from '#server/http/request-locale.ts'
import { errorSentence, refusalSentence, type Sentence } from '#server/http/sentence.ts'
import { findOutage } from '#server/outage.ts'
import { LimitRefusal } from '#server/trpc/limit.ts'
import type { Item, Report } from '../report.ts'
import { writeSent } from './sent-cookie.ts'

/** Answers a guest's form: with a page that says why nothing was stored, or by leading back to the form, which lists what was. */
export function answerGuest(res: ServerResponse, report: Report): void {
  const { items, decisions, refusal } = report
  const refused = items.find(({ outcome }) => outcome === 'refused')
  if (!items.some(({ outcome }) => outcome === 'stored')) {
    const thrown = refused?.outcome === 'refused' ? refused.thrown : report.thrown
    const sent = refused?.outcome === 'refused' ? refused.refusal : refusal
    const headers = {
      ...limitHeaders(decisions),
      ...(sent?.retrySeconds && { 'Retry-After': String(sent.retrySeconds) }),
    }
    writeProblem(res, sent?.status ?? 500, toSentence(thrown), headers)
    return
  }
  const locale = requestLocale(res.req.headers)
  const say = translatorFor(locale)
  const toSent = (item: Item) => {
    const name = item.filename
    if (item.outcome === 'refused') return { name, problem: toSentence(item.thrown)(say, locale, false) }
    const { image, guest } = item
    const link = item.deletionUrl?.split('/').at(-1) ?? ''
    return { name, slug: image.slug, link, endsAt: guest?.endsAt ?? '', awaits: guest?.awaitsApproval ?? false }
  }
  const cookie = writeSent(items.map(toSent))
  const own = { Location: '/upload', 'Cache-Control': 'no-store', 'Set-Cookie': cookie }
  res.writeHead(303, { ...limitHeaders(decisions), ...own }).end()
}

/** Says an error in its reader's language. */
function toSentence(thrown: unknown): Sentence {
  const { cause } = getTRPCErrorFromUnknown(thrown)
  if (cause instanceof LimitRefusal) return refusalSentence(cause.refusal)
  const text = cause instanceof Refused ? cause.text : findOutage(thrown)?.text
  return text ? errorSentence(text) : (say) => say('errors.bug')
}
