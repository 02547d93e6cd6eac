'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { listItems } from '#app/gallery/list-cache.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { useListSource } from '#app/gallery/selecting/list-source.ts'
import { imageName } from '#app/gallery/selecting/many.ts'
import { BarButton, ListBar, SelectionBar } from '#app/gallery/selecting/selection-bar.tsx'
import { useSelection } from '#app/gallery/selecting/use-selection.ts'
import { TilesSkeleton } from '#app/gallery/tiles-skeleton.tsx'
import { useImageActions } from '#app/gallery/use-image-actions.tsx'
import { useImageListOptions } from '#app/gallery/use-image-list.ts'
import { useScope } from '#app/gallery/use-scope.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { TrashList } from './trash-list.tsx'
import { useEmptying } from './use-emptying.ts'

/** Deleted images that can still be restored. */
export function Trash() {
  const t = useTranslations('trash')
  const tGallery = useTranslations('gallery')
  const account = useAccount()
  const { scope, scopes, setScope } = useScope({ trash: true })
  const place = useMemo(() => ({ scope, trash: true }), [scope])
  const query = useInfiniteQuery(useImageListOptions(place))
  const items = listItems(query.data)
  const maySelect = (item: ImageItem) => rightsOver(account, item).trash
  const source = useListSource(place, query.data)
  const selection = useSelection({ source, maySelect })
  const { restore, purge } = useImageActions()
  const [isAsking, setAsking] = useState(false)
  const { isEmptying, empty } = useEmptying(source, (images) => purge(images.filter(mayPurge)))
  const [toDelete, setToDelete] = useState<readonly ImageItem[]>([])
  const only = toDelete.length === 1 ? toDelete[0] : undefined
  const mayPurge = (item: ImageItem) => rightsOver(account, item).purge
  const purgeable = selection.selected.filter(mayPurge)
  const restoreAll = (images: readonly ImageItem[]) => {
    void restore(images)
    selection.clear()
  }
  return (
    <div className="mx-auto max-w-5xl px-4 sm:px-6">
      <ListBar isSelecting={selection.isSelecting}>
        <h1
          className={`text-lg font-semibold ${selection.isSelecting ? 'sr-only' : scopes.length > 1 ? 'max-[22rem]:sr-only' : ''}`}
        >
          {t('title')}
        </h1>
        {selection.isSelecting ? (
          <SelectionBar selection={selection}>
            <BarButton icon={RotateCcw} word={t('restore')} onPress={() => restoreAll(selection.selected)} />
            <BarButton
              icon={Trash2}
              word={t('delete')}
              tone="quiet-danger"
              isDisabled={purgeable.length === 0}
              onPress={() => setToDelete(purgeable)}
            />
          </SelectionBar>
        ) : (
          <>
            <span className="flex-1" />
            {scopes.length > 1 && (
              <Segments label={tGallery('scope')} value={scope} options={scopes} onChange={setScope} />
            )}
            {items.some(maySelect) && (
              <Button tone="quiet" size="small" onPress={selection.selectAll}>
                {tGallery('selectAll')}
              </Button>
            )}
            {items.some(mayPurge) && (
              <BarButton
                icon={Trash2}
                word={t('emptyTrash')}
                tone="quiet-danger"
                isDisabled={isEmptying}
                onPress={() => setAsking(true)}
              />
            )}
          </>
        )}
      </ListBar>
      {query.isPending && <QueryStanding query={query} />}
      {query.isPending && <TilesSkeleton />}
      {query.isSuccess && items.length === 0 && (
        <div className="flex min-h-[50vh] flex-col items-center justify-center gap-3 text-center text-ink-soft">
          <Trash2 size={34} strokeWidth={1.5} />
          <p>{t('empty')}</p>
        </div>
      )}
      {items.length > 0 && (
        <TrashList
          items={items}
          selection={selection}
          onRestore={(item) => restoreAll([item])}
          onPurge={(item) => setToDelete([item])}
        />
      )}
      {!query.isPending && <QueryStanding query={query} />}
      <LoadMore
        key={`${scope} ${items.length}`}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError && !isEmptying}
        onNear={() => query.fetchNextPage()}
      />
      <Confirm
        isOpen={toDelete.length > 0}
        title={
          only
            ? t('deleteTitle', { name: imageName(only, tGallery) })
            : t('deleteManyTitle', { count: toDelete.length })
        }
        action={t('deletePermanently')}
        onClose={() => setToDelete([])}
        onConfirm={() => {
          void purge(toDelete)
          selection.clear()
        }}
      >
        {t('deleteText', { count: toDelete.length })}
      </Confirm>
      <Confirm
        isOpen={isAsking}
        title={t('emptyTitle')}
        action={t('deletePermanently')}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          selection.clear()
          void empty()
        }}
      >
        {t('emptyText')}
      </Confirm>
    </div>
  )
}
