'use client'

import { useQuery } from '@tanstack/react-query'
import { Ban } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button } from '#app/ui/button.tsx'
import { FirstFew } from '#app/ui/first-few.tsx'
import { Fold } from '#app/ui/fold.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { finder } from '../rule-sets/set-order.ts'
import type { RuleSetItem } from '../types.ts'
import { BlockDialog } from './block-dialog.tsx'
import { BlockLine, useBlockName } from './block-line.tsx'

/** Blocks begin and end by themselves. */
const INTERVAL_MS = 30_000

/** About a screenful. */
const FEW = 20

/** Everyone and everything that is blocked now, with one click to lift a block or to make one. */
export function Blocks({ sets }: { sets: readonly RuleSetItem[] }) {
  const t = useTranslations('adminBlocks')
  const query = useQuery(useTRPC().limits.blocks.queryOptions(undefined, { refetchInterval: INTERVAL_MS }))
  const [search, setSearch] = useState('')
  const [isBlocking, setBlocking] = useState(false)
  const nameOf = useBlockName()
  const isFound = finder(search)
  const blocks = query.data?.blocks ?? []
  const found = blocks.filter((block) => isFound([nameOf(block), block.ruleSet, block.by, block.note].join(' ')))
  const isSearched = search.trim() !== ''
  return (
    <Fold
      title={t('title')}
      amount={query.data && blocks.length}
      isOpenAtFirst
      beside={
        <>
          {blocks.length > 5 && (
            <Search
              label={t('filter')}
              placeholder={t('filterPlaceholder')}
              value={search}
              onChange={setSearch}
              className="w-60 max-w-full"
            />
          )}
          <Button size="small" onPress={() => setBlocking(true)}>
            <Ban size={15} /> {t('block')}
          </Button>
        </>
      }
    >
      <p className="mb-3 text-sm text-ink-soft">{t('lead')}</p>
      {query.isPending && <Skeleton className="h-24 w-full" />}
      <QueryStanding query={query} />
      {query.isSuccess && found.length === 0 && (
        <p className="rounded-lg border border-line border-dashed px-4 py-6 text-center text-sm text-ink-soft">
          {isSearched ? t('noMatch', { search: search.trim() }) : t('none')}
        </p>
      )}
      <FirstFew items={found} few={FEW} isWhole={isSearched}>
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
      {isBlocking && <BlockDialog sets={sets} onClose={() => setBlocking(false)} />}
    </Fold>
  )
}
