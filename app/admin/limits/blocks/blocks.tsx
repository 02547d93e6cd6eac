'use client'

import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { EmptyList } from '#app/ui/empty-list.tsx'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { useConsole } from '../console.tsx'
import { finder } from '../rule-sets/set-order.ts'
import { BlockLine, useBlockName } from './block-line.tsx'

/** Blocks begin and end by themselves. */
const INTERVAL_MS = 30_000

/** About a screenful. */
const FEW = 20

/** Everyone and everything that is blocked now, with one click to lift a block or to make one. */
export function Blocks() {
  const t = useTranslations('adminBlocks')
  const query = useQuery(useTRPC().limits.blocks.queryOptions(undefined, { refetchInterval: INTERVAL_MS }))
  const [typed, setSearch] = useState('')
  const nameOf = useBlockName()
  const search = typed.trim()
  const isFound = finder(search)
  const blocks = query.data?.blocks ?? []
  const found = blocks.filter((block) => isFound([nameOf(block), block.ruleSet, block.by, block.note].join(' ')))
  return (
    <Fold
      title={t('title')}
      amount={query.data && blocks.length}
      isOpenAtFirst
      beside={<Beside hasSearch={blocks.length > 5} value={typed} onChange={setSearch} />}
    >
      <p className="mb-3 text-sm text-ink-soft">{t('lead')}</p>
      {query.isPending && <Skeleton className="h-24 w-full" />}
      <QueryStanding query={query} />
      {query.isSuccess && found.length === 0 && (
        <EmptyList>{search === '' ? t('none') : t('noMatch', { search })}</EmptyList>
      )}
      <FirstFew items={found} few={FEW} isWhole={search !== ''}>
        {(few) => (
          <ul
            aria-label={t('title')}
            className="divide-y divide-line rounded-lg border border-line bg-surface empty:hidden"
          >
            {few.map((block) => (
              <BlockLine key={`${block.kind} ${block.id}`} block={block} />
            ))}
          </ul>
        )}
      </FirstFew>
      {query.data?.isWhole === false && <p className="mt-2 text-sm text-ink-soft">{t('incomplete')}</p>}
    </Fold>
  )
}

function Beside({ hasSearch, ...field }: { hasSearch: boolean; value: string; onChange: (search: string) => void }) {
  const t = useTranslations('adminBlocks')
  const { open } = useConsole()
  return (
    <>
      {hasSearch && (
        <Search {...field} label={t('filter')} placeholder={t('filterPlaceholder')} className="w-60 max-w-full" />
      )}
      <Button size="small" onPress={() => open({ kind: 'block' })}>
        <Ban size={15} /> {t('block')}
      </Button>
    </>
  )
}
