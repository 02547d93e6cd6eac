'use client'

import { useQuery } from '@tanstack/react-query'
import { X } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { AsOf } from '#app/limits/as-of.tsx'
import { Button } from '#app/ui/button.tsx'
import { type Query, toInput } from './finding.ts'
import { useFilterText } from './use-filter-text.ts'
import type { FindingState } from './use-finding.ts'

/** How many images are found, and by which filters. */
export default function ActiveFilters({ state, scope }: { state: FindingState; scope: 'mine' | 'all' | 'gallery' }) {
  const t = useTranslations('finding')
  const trpc = useTRPC()
  const { finding, narrow, clear } = state
  const { data } = useQuery(
    trpc.image.count.queryOptions({ scope, ...toInput(finding) }, { placeholderData: (last) => last }),
  )
  const { text: _, ...filters } = finding.query
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <p role="status" className="figures mr-1 min-w-20 font-medium">
        {data && t(data.more ? 'foundMore' : 'found', { count: data.count })}
      </p>
      <ul aria-label={t('filters')} className="contents">
        {Object.keys(filters).map((name) => (
          <Chip key={name} query={pick(filters, name)} onRemove={() => narrow({ [name]: undefined })} />
        ))}
      </ul>
      <AsOf iso={data?.asOf} />
      <Button tone="link" size="small" onPress={clear}>
        {t('clear')}
      </Button>
    </div>
  )
}

const pick = (query: Query, name: string): Query =>
  Object.fromEntries(Object.entries(query).filter(([each]) => each === name))

function Chip({ query, onRemove }: { query: Query; onRemove: () => void }) {
  const t = useTranslations('finding')
  const describe = useFilterText()
  const trpc = useTRPC()
  const { album = '', owner } = query
  const { data } = useQuery(trpc.album.get.queryOptions({ id: album }, { enabled: album !== '', retry: false }))
  const text = album ? (data?.title ?? t('otherAlbum')) : owner ? t('oneOwner') : describe(query)
  return (
    <li className="max-w-full">
      <button
        type="button"
        aria-label={t('remove', { filter: text })}
        onClick={onRemove}
        className="flex min-h-8 max-w-full items-center gap-1.5 rounded-md bg-sunken px-2.5 py-1 text-left hover:bg-hover"
      >
        <bdi className="min-w-0 wrap-anywhere">{text}</bdi>
        <X size={15} aria-hidden="true" className="shrink-0 text-ink-soft" />
      </button>
    </li>
  )
}
