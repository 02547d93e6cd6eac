import Link from 'next/link'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'
import { subjectText } from '../limits/subjects/subject-text.ts'
import { Picture, Ranking } from '../ranking.tsx'
import { Line, Trend } from './cost-line.tsx'
import type { BudgetOverview } from './types.ts'

/** The month's cost by procedure, image and subject; where nothing has a price, its traffic. */
export function CostBreakdown({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const { subjects, images, currency, prices, isFree } = overview
  const procedures = isFree ? overview.procedures.toSorted((a, b) => b.requests - a.requests) : overview.procedures
  const format = useFormat()
  const money = (nanos: number) => format.money(nanos, currency)
  const tLimits = useTranslations('adminLimits')
  return (
    <section aria-labelledby="costs" className="mt-10">
      <h2 id="costs" className="mb-3 text-lg font-semibold">
        {t(isFree ? 'traffic' : 'costs')}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking
          title={t(isFree ? 'procedureRequests' : 'procedures')}
          isEmpty={procedures.length === 0}
          empty={t('nothing')}
        >
          {procedures.map(
            ({ procedure, nanos, requests, reads, writes, bytesIn, bytesOut, sent, days, requestDays }) => (
              <Line
                key={procedure}
                name={procedure}
                amount={isFree ? format.count(requests) : money(nanos)}
                trend={<Trend amounts={isFree ? requestDays : days} />}
              >
                {isFree
                  ? trafficLine(t, format, sent, bytesIn)
                  : t('procedureLine', { reads, writes, out: format.bytes(bytesOut) })}
              </Line>
            ),
          )}
        </Ranking>
        <div className="flex min-w-0 flex-col gap-4">
          <Ranking title={t(isFree ? 'imageTraffic' : 'images')} isEmpty={images.length === 0} empty={t('nothing')}>
            {images.map((image) => (
              <Line
                key={image.sha256}
                picture={<Picture url={image.thumbnailUrl} />}
                name={<ImageName image={image} />}
                amount={isFree ? format.bytes(image.sent) : money(image.nanos)}
              >
                {isFree
                  ? t('imageReads', { reads: image.reads, provider: prices.provider })
                  : t('imageLine', {
                      reads: image.reads,
                      provider: prices.provider,
                      served: format.bytes(image.sent),
                    })}
              </Line>
            ))}
          </Ranking>
          <Ranking
            title={t(isFree ? 'subjectTraffic' : 'subjects')}
            isEmpty={subjects.length === 0}
            empty={t('nothing')}
          >
            {subjects.map(({ subject, nanos, writes, reads, sent }) => (
              <Line
                key={subject.key}
                name={subject.kind === 'site' ? t('siteItself') : subjectText(tLimits, subject)}
                amount={isFree ? format.bytes(sent) : money(nanos)}
              >
                {isFree
                  ? t('subjectRequests', { reads, writes })
                  : t('subjectLine', { reads, writes, served: format.bytes(sent) })}
              </Line>
            ))}
          </Ranking>
        </div>
      </div>
    </section>
  )
}

/** What a procedure has sent and stored, without what is nothing. */
function trafficLine(t: Translate<'adminSpending'>, format: Formats, sent: number, stored: number): string {
  if (stored === 0) return t('servedOnly', { size: format.bytes(sent) })
  if (sent === 0) return t('written', { size: format.bytes(stored) })
  return t('procedureTraffic', { served: format.bytes(sent), written: format.bytes(stored) })
}

function ImageName({ image: { slug, title, owner } }: { image: BudgetOverview['images'][number] }) {
  const t = useTranslations('adminSpending')
  if (!slug) return t('otherImages')
  const link = (text: ReactNode) => (
    <Link href={`/image/${slug}`} prefetch={false} className="rounded-sm text-water underline underline-offset-4">
      {text}
    </Link>
  )
  if (!owner) return link(title || t('untitled'))
  return t.rich('imageBy', {
    title: title || t('untitled'),
    username: owner,
    soft: (text) => <span className="font-normal text-ink-soft">{text}</span>,
    link,
  })
}
