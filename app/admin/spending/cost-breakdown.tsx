import Link from 'next/link'
import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import { subjectText } from '../limits/subjects/subject-text.ts'
import type { BudgetOverview } from './types.ts'

/** The month's cost by procedure, image and subject. */
export function CostBreakdown({ overview }: { overview: BudgetOverview }) {
  const t = useTranslations('adminSpending')
  const { procedures, subjects, images, currency, prices } = overview
  const money = (nanos: number) => format.money(nanos, currency)
  const tLimits = useTranslations('adminLimits')
  const format = useFormat()
  return (
    <section aria-labelledby="costs" className="mt-10">
      <h2 id="costs" className="mb-3 text-lg font-semibold">
        {t('costs')}
      </h2>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Ranking title={t('procedures')} isEmpty={procedures.length === 0}>
          {procedures.map(({ procedure, nanos, reads, writes, bytesOut, days }) => (
            <Line key={procedure} name={procedure} amount={money(nanos)} trend={<Trend amounts={days} />}>
              {t('procedureLine', { reads, writes, out: format.bytes(bytesOut) })}
            </Line>
          ))}
        </Ranking>
        <div className="flex min-w-0 flex-col gap-4">
          <Ranking title={t('images')} isEmpty={images.length === 0}>
            {images.map((image) => (
              <Line
                key={image.sha256}
                picture={<Picture key={image.thumbnailUrl} url={image.thumbnailUrl} />}
                name={<ImageName image={image} />}
                amount={money(image.nanos)}
              >
                {t('imageLine', {
                  reads: image.reads,
                  provider: prices.provider,
                  served: format.bytes(image.sent),
                })}
              </Line>
            ))}
          </Ranking>
          <Ranking title={t('subjects')} isEmpty={subjects.length === 0}>
            {subjects.map(({ subject, nanos, writes, reads, sent }) => (
              <Line
                key={subject.key}
                name={subject.kind === 'site' ? t('siteItself') : subjectText(tLimits, subject)}
                amount={money(nanos)}
              >
                {t('subjectLine', { reads, writes, served: format.bytes(sent) })}
              </Line>
            ))}
          </Ranking>
        </div>
      </div>
    </section>
  )
}

function ImageName({ image: { slug, title, owner } }: { image: BudgetOverview['images'][number] }) {
  const t = useTranslations('adminSpending')
  if (!slug) return t('otherImages')
  const link = (text: ReactNode) => (
    <Link href={`/image/${slug}`} prefetch={false} className="rounded-sm text-water hover:underline">
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

function Ranking({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  const t = useTranslations('adminSpending')
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {isEmpty ? (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          {t('nothing')}
        </p>
      ) : (
        <ol
          aria-label={title}
          className="max-h-96 divide-y divide-line overflow-y-auto rounded-lg border border-line bg-surface"
        >
          {children}
        </ol>
      )}
    </div>
  )
}

/** A thumbnail, decorative beside the name. Stays empty if a spent budget refuses it. */
function Picture({ url }: { url: string | null }) {
  const [isMissing, setMissing] = useState(false)
  return (
    <span className="size-10 shrink-0 overflow-hidden rounded-sm bg-sunken">
      {url && !isMissing && (
        <img src={url} alt="" loading="lazy" onError={() => setMissing(true)} className="size-full object-cover" />
      )}
    </span>
  )
}

interface LineProps {
  picture?: ReactNode
  name: ReactNode
  amount: string
  trend?: ReactNode
  children: ReactNode
}

function Line({ picture, name, amount, trend, children }: LineProps) {
  return (
    <li className="flex items-center gap-x-3 px-4 py-2 text-sm">
      {picture}
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{name}</span>
        <span className="figures block text-ink-soft">{children}</span>
      </span>
      <span className="flex flex-col items-end gap-1">
        <span className="figures font-medium">{amount}</span>
        {trend}
      </span>
    </li>
  )
}

/** The month as a row of small bars. */
function Trend({ amounts }: { amounts: readonly number[] }) {
  const peak = Math.max(...amounts)
  if (!(peak > 0)) return null
  const path = amounts.map((amount, at) =>
    amount === 0 ? '' : `M${at * 3} 20v-${Math.max(1, (20 * amount) / peak)}h2V20z`,
  )
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${amounts.length * 3} 20`} className="h-4 w-20">
      <path className="fill-water" d={path.join('')} />
    </svg>
  )
}
