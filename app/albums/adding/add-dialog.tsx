'use client'

import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { Check, Plus } from 'lucide-react'
import { type FormEvent, useDeferredValue, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type AlbumItem, type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { Button, PlainButton } from '#app/ui/button.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Search } from '#app/ui/search.tsx'
import { countText } from '../count-text.ts'
import { CoverPicture } from '../cover.tsx'
import { useAlbumCache, useAlbumListOptions } from '../use-albums.ts'
import { useAdding } from './use-adding.tsx'

interface Props {
  images: readonly ImageItem[]
  onClose: () => void
}

/** Lists the account's albums to choose one for images, and creates a new one with the title that has been searched for. */
export default function AddDialog({ images, onClose }: Props) {
  const t = useTranslations('albums')
  return (
    <Dialog title={t('addToTitle', { count: images.length })} isOpen onClose={onClose}>
      <Choice images={images} onClose={onClose} />
    </Dialog>
  )
}

function Choice({ images, onClose }: Props) {
  const t = useTranslations('albums')
  const client = useTRPCClient()
  const cache = useAlbumCache()
  const add = useAdding()
  const [text, setText] = useState('')
  const title = text.trim()
  const searched = useDeferredValue(title)
  const query = useInfiniteQuery({ ...useAlbumListOptions('mine', searched), placeholderData: (before) => before })
  const found = query.data?.pages.flatMap(({ items }) => items) ?? []
  // Until the answer for what is typed is here, those of the one before that still match.
  const albums = query.isPlaceholderData ? found.filter((album) => isLike(album.title, title)) : found
  const same = albums.find((album) => fold(album.title) === fold(title))
  const holders = useHolders(images)
  const choose = (album: AlbumItem) => {
    onClose()
    void add(album, images)
  }
  const create = useMutation({
    mutationFn: () => client.album.create.mutate({ title }),
    onSuccess: (album) => {
      cache.put(album)
      choose(album)
    },
  })
  const isHeldBack = useHeldBack(create.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (same) choose(same)
    else if (title !== '') create.mutate()
  }
  return (
    <form onSubmit={submit} className="flex flex-col gap-3">
      <Search label={t('search')} placeholder={t('search')} value={text} onChange={setText} startsFocused />
      <Button type="submit" isPending={create.isPending} isDisabled={isHeldBack || title === ''} className="min-w-0">
        <Plus size={16} className="shrink-0" />
        <span dir="auto" className="truncate">
          {title === '' ? t('newTitle') : same ? t('addToNamed', { title: same.title }) : t('addNew', { title })}
        </span>
      </Button>
      <FormFailure error={create.error} />
      <ul aria-label={t('list')} className="-mx-2 flex max-h-[46vh] flex-col overflow-y-auto">
        {albums.map((album) => (
          <li key={album.id}>
            <PlainButton
              onPress={() => choose(album)}
              className="flex w-full items-center gap-3 rounded-md px-2 py-1.5 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <span className="size-12 shrink-0 overflow-hidden rounded-md">
                <CoverPicture cover={album.cover} sizes="3rem" />
              </span>
              <span className="min-w-0 flex-1">
                <span dir="auto" className="block truncate font-medium">
                  {album.title}
                </span>
                <span className="figures block text-sm text-ink-soft">{countText(album.count, t)}</span>
              </span>
              {holders.has(album.id) && (
                <span className="flex items-center gap-1 text-sm text-ink-soft">
                  <Check size={15} className="text-good" /> {t('inAlbum')}
                </span>
              )}
            </PlainButton>
          </li>
        ))}
        <LoadMore
          key={albums.length}
          isWanted={query.hasNextPage && !query.isFetching && !query.isError}
          onNear={() => query.fetchNextPage()}
        />
      </ul>
      {query.isSuccess && albums.length === 0 && searched !== '' && (
        <p className="text-sm text-ink-soft">{t('noMatch')}</p>
      )}
      <QueryStanding query={query} />
    </form>
  )
}

const fold = (text: string): string => text.toLowerCase()
const isLike = (title: string, text: string): boolean => fold(title).includes(fold(text))

/** Returns the albums that one image is in already. Those of several are not looked up. */
function useHolders(images: readonly ImageItem[]): ReadonlySet<string> {
  const client = useTRPCClient()
  const [only, ...others] = images
  const image = only && others.length === 0 ? only.id : null
  const { data } = useQuery({
    queryKey: ['albums', 'of', image],
    queryFn: ({ signal }) => client.album.list.query({ scope: 'mine', image: image ?? '', limit: 100 }, { signal }),
    enabled: image !== null,
  })
  return new Set(data?.items.map(({ id }) => id))
}
