'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { EmptyList } from '#app/gallery/empty-list.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { isAdminAccount, mayFile, useAccount, useSession } from '#app/shell/session.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Search } from '#app/ui/search.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { AlbumCard, cards, toCard } from './album-card.tsx'
import { CreateAlbum } from './create-album.tsx'
import { EmptyAlbums } from './empty-albums.tsx'
import { type AlbumScope, useAlbumListOptions } from './use-albums.ts'

const SKELETONS = [0, 1, 2, 3, 4, 5, 6, 7]

/** The albums of the account, or of everybody. */
export function AlbumsPage() {
  const t = useTranslations('albums')
  const account = useAccount()
  const { gallery } = useSession()
  const [scope, setScope] = useState<AlbumScope>('mine')
  const [text, setText] = useState('')
  const searched = useDeferredValue(text.trim())
  const query = useInfiniteQuery({ ...useAlbumListOptions(scope, searched), placeholderData: (before) => before })
  const albums = query.data?.pages.flatMap(({ items }) => items) ?? []
  const scopes: readonly AlbumScope[] = [
    'mine',
    ...(gallery ? (['gallery'] as const) : []),
    ...(isAdminAccount(account) ? (['all'] as const) : []),
  ]
  const isEmpty = query.isSuccess && albums.length === 0
  return (
    <div className="px-4 sm:px-6">
      <div className="flex min-h-14 flex-wrap items-center gap-3 py-3">
        <h1 className="mr-auto text-lg font-semibold">{t('title')}</h1>
        {scopes.length > 1 && (
          <Segments
            label={t('scope')}
            value={scope}
            options={scopes.map((value) => ({ value, label: t(`scopes.${value}`) }))}
            onChange={setScope}
          />
        )}
        {!(isEmpty && searched === '') && (
          <Search
            label={t('search')}
            placeholder={t('search')}
            value={text}
            onChange={setText}
            className="w-full max-w-60 max-sm:order-last max-sm:max-w-none"
          />
        )}
        {mayFile(account) && !(isEmpty && searched === '' && scope === 'mine') && <CreateAlbum isSmall />}
      </div>
      {query.isPending && (
        <div aria-hidden="true" className={cards}>
          {SKELETONS.map((key) => (
            <span key={key} className="aspect-square animate-shimmer rounded-lg bg-sunken" />
          ))}
        </div>
      )}
      {isEmpty && <Nothing scope={scope} isSearch={searched !== ''} keeps={mayFile(account)} />}
      {albums.length > 0 && (
        <ul aria-label={t('list')} className={cards}>
          {albums.map((album, at) => (
            <AlbumCard
              key={album.id}
              item={toCard(album, `/albums/${album.id}`, scope !== 'mine' && !album.mine)}
              isFirst={at < 4}
            />
          ))}
        </ul>
      )}
      <QueryStanding query={query} />
      <LoadMore
        key={`${scope} ${albums.length}`}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
    </div>
  )
}

function Nothing({ scope, isSearch, keeps }: { scope: AlbumScope; isSearch: boolean; keeps: boolean }) {
  const t = useTranslations('albums')
  if (isSearch) return <EmptyList>{t('noMatch')}</EmptyList>
  if (scope !== 'mine') return <EmptyList>{t('emptyPublic')}</EmptyList>
  return <EmptyAlbums>{keeps && <CreateAlbum />}</EmptyAlbums>
}
