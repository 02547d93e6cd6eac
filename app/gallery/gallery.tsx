'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { Download, Link2, SquareCheck, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useSession } from '#app/shell/session.tsx'
import { copyLinks } from '#app/ui/copy-links.ts'
import { IconButton } from '#app/ui/icon-button.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { browsed } from './browsed.ts'
import { Empty } from './empty.tsx'
import { itemsOf } from './list-cache.ts'
import { rightsOver } from './rights.ts'
import { AT_ONCE } from './selecting/many.ts'
import { BarButton, ListBar, SelectionBar } from './selecting/selection-bar.tsx'
import { useSelection } from './selecting/use-selection.ts'
import { VisibilityMenu } from './selecting/visibility-menu.tsx'
import { Tiles, TilesSkeleton } from './tiles.tsx'
import { useImageActions } from './use-image-actions.tsx'
import { useImageListOptions } from './use-image-list.ts'
import { useScope } from './use-scope.ts'

/** The images one may browse: one's own, the public ones, everybody's. */
export function Gallery() {
  const { account } = useSession()
  const { scope, scopes, setScope } = useScope()
  const ui = useTranslations('ui')
  const place = { scope, trash: false }
  const query = useInfiniteQuery(useImageListOptions(place))
  const items = itemsOf(query.data)
  const maySelect = (item: ImageItem) => rightsOver(account, item).trash || (account !== null && item.url !== null)
  const selection = useSelection({ place, list: query.data, maySelect })
  const { trash, setVisibility, download } = useImageActions()
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
          {scope === 'mine' ? 'Your images' : scope === 'all' ? 'All images' : 'Public gallery'}
        </h1>
        {selection.isSelecting ? (
          <SelectionBar selection={selection}>
            <BarButton
              icon={Link2}
              word="Copy links"
              isDisabled={readable.length === 0}
              onPress={() =>
                copyLinks(
                  readable.flatMap(({ url }) => url ?? []),
                  ui,
                )
              }
            />
            <BarButton
              icon={Download}
              word={readable.length > AT_ONCE ? `At most ${AT_ONCE} as zip` : `Download ${readable.length} as zip`}
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
              word="Move to trash"
              tone="quiet-danger"
              isDisabled={!selection.selected.some((image) => rightsOver(account, image).trash)}
              onPress={() => trashAll(selection.selected)}
            />
          </SelectionBar>
        ) : (
          <>
            <span className="max-sm:hidden flex-1" />
            {scopes.length > 1 && <Segments label="Whose images" value={scope} options={scopes} onChange={setScope} />}
            {account && items.length > 0 && (
              <IconButton label="Select images" onPress={selection.begin} className="max-sm:ml-auto">
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
          label={scope === 'mine' ? 'Your images' : 'Images'}
          items={items}
          selection={selection}
          maySelect={maySelect}
          scope={scope}
          hrefOf={({ slug }) => slug && `/image/${slug}`}
          onOpen={() => browsed.set(place)}
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
