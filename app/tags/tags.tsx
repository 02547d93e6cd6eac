'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Tag as TagIcon } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Search } from '#app/ui/search.tsx'
import { Skeleton } from '#app/ui/skeleton.tsx'
import { TagLine } from './tag-line.tsx'
import { useTagListOptions } from './use-tags.ts'

/** The reader's tags, with how many images have each. */
export function Tags() {
  const t = useTranslations('tags')
  const { shared } = useAccount()
  const [text, setText] = useState('')
  const query = useInfiniteQuery(useTagListOptions(text.trim()))
  const tags = query.data?.pages.flatMap(({ items }) => items) ?? []
  const isEmpty = query.isSuccess && tags.length === 0
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-4 px-4 py-3 sm:px-6">
      <div className="flex min-h-10 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="text-lg font-semibold">{t('title')}</h1>
        {!(isEmpty && text === '') && (
          <Search
            label={t('search')}
            placeholder={t('search')}
            value={text}
            onChange={setText}
            className="w-full sm:ml-auto sm:w-64"
          />
        )}
      </div>
      {query.isPending && <Skeleton className="h-64" />}
      {isEmpty && (
        <div className="flex min-h-[50vh] flex-col items-center justify-center gap-3 text-center text-ink-soft">
          <TagIcon size={34} strokeWidth={1.5} />
          <p className="max-w-sm">{text === '' ? t('empty') : t('noMatch', { text })}</p>
        </div>
      )}
      {tags.length > 0 && (
        <ul aria-label={t('title')} className="overflow-hidden rounded-md border border-line bg-surface">
          {tags.map((tag) => (
            <TagLine key={tag.id} tag={tag} isEditable={!shared} />
          ))}
        </ul>
      )}
      <QueryStanding query={query} />
      <LoadMore
        key={`${text} ${tags.length}`}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
    </div>
  )
}
