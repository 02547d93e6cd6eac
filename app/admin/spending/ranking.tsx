import { type ReactNode, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { EmptyList } from '#app/ui/empty-list.tsx'

/** A list of what used most. */
export function Ranking({ title, isEmpty, children }: { title: string; isEmpty: boolean; children: ReactNode }) {
  const t = useTranslations('adminSpending')
  return (
    <div className="min-w-0">
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {isEmpty ? (
        <EmptyList>{t('nothing')}</EmptyList>
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
export function Picture({ url }: { url: string | null }) {
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

export function Line({ picture, name, amount, trend, children }: LineProps) {
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
export function Trend({ amounts }: { amounts: readonly number[] }) {
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
