'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, Link2, SquareCheck, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { useCopyLink } from '#app/image/use-copy-link.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useSession } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { browsed } from './browsed.ts'
import { Empty } from './empty.tsx'
import { listItems } from './list-cache.ts'
import { rightsOver } from './rights.ts'
import { AT_ONCE } from './selecting/many.ts'
import { BarButton, ListBar, SelectionBar } from './selecting/selection-bar.tsx'
import { useSelection } from './selecting/use-selection.ts'
import { VisibilityMenu } from './selecting/visibility-menu.tsx'
import { Tiles, TilesSkeleton } from './tiles.tsx'
import { useImageActions } from './use-image-actions.tsx'
import { type ListScope, useImageListOptions } from './use-image-list.ts'
import { useScope } from './use-scope.ts'

const titles = { mine: 'titleMine', all: 'titleAll', gallery: 'titlePublic' } as const satisfies Record<
  ListScope,
  string
>

/** The images of a scope: the user's own, the public ones, or all. */
export function Gallery() {
  const t = useTranslations('gallery')
  const { account } = useSession()
  const { scope, scopes, setScope } = useScope()
  const isOwn = scope === 'mine'
  const place = { scope, trash: false }
  const query = useInfiniteQuery(useImageListOptions(place))
  const items = listItems(query.data)
  const maySelect = (item: ImageItem) => rightsOver(account, item).trash || (account !== null && item.url !== null)
  const selection = useSelection({ place, list: query.data, maySelect })
  const { trash, setVisibility, download } = useImageActions()
  const copyLinks = useCopyLink((images) => void setVisibility(images, 'link'))
  const trashAll = (images: readonly ImageItem[]) => {
    const allowed = images.filter((image) => rightsOver(account, image).trash)
    if (allowed.length > 0) void trash(allowed)
    selection.clear()
    return allowed
  }
  const readable = selection.selected.filter(({ url }) => url !== null)
  const editable = selection.selected.filter((image) => rightsOver(account, image).edit)
  return (
    <div className="px-4 sm:px-6">
      <ListBar isSelecting={selection.isSelecting}>
        <h1
          className={`text-lg font-semibold ${selection.isSelecting ? 'sr-only' : scopes.length > 1 ? 'max-sm:sr-only' : ''}`}
        >
          {t(titles[scope])}
        </h1>
        {selection.isSelecting ? (
          <SelectionBar selection={selection}>
            <BarButton
              icon={Link2}
              word={t('copyLinks')}
              isDisabled={readable.length === 0}
              onPress={() => copyLinks(readable)}
            />
            <BarButton
              icon={Download}
              word={
                readable.length > AT_ONCE
                  ? t('downloadMost', { most: AT_ONCE })
                  : t('download', { count: readable.length })
              }
              isDisabled={readable.length === 0}
              onPress={() => void download(readable)}
            />
            <VisibilityMenu
              amount={editable.length}
              onSet={(visibility) => {
                void setVisibility(editable, visibility)
                selection.clear()
              }}
            />
            <BarButton
              icon={Trash2}
              word={t('moveToTrash')}
              tone="quiet-danger"
              isDisabled={!selection.selected.some((image) => rightsOver(account, image).trash)}
              onPress={() => trashAll(selection.selected)}
            />
          </SelectionBar>
        ) : (
          <>
            <span className="max-sm:hidden flex-1" />
            {scopes.length > 1 && <Segments label={t('scope')} value={scope} options={scopes} onChange={setScope} />}
            {account && items.length > 0 && (
              <IconButton label={t('selectImages')} onPress={selection.begin} className="max-sm:ml-auto">
                <SquareCheck size={18} />
              </IconButton>
            )}
          </>
        )}
      </ListBar>
      {query.isPending && <QueryStanding query={query} />}
      {query.isPending && <TilesSkeleton />}
      {query.isSuccess && items.length === 0 && <Empty scope={scope} />}
      {items.length > 0 && (
        <Tiles
          label={t(isOwn ? 'titleMine' : 'listLabel')}
          items={items}
          selection={selection}
          maySelect={maySelect}
          scope={scope}
          getHref={({ slug }) => slug && `/image/${slug}`}
          onOpen={() => browsed.set(place)}
          onCopy={copyLinks}
          onDelete={trashAll}
        />
      )}
      {!query.isPending && <QueryStanding query={query} />}
      <LoadMore
        key={`${scope} ${items.length}`}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
    </div>
  )
}
