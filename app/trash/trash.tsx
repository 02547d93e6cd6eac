'use client'

import { useInfiniteQuery } from '@tanstack/react-query'
import { RotateCcw, Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { itemsOf } from '#app/gallery/list-cache.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { nameOf } from '#app/gallery/selecting/many.ts'
import { BarButton, ListBar, SelectionBar } from '#app/gallery/selecting/selection-bar.tsx'
import { useSelection } from '#app/gallery/selecting/use-selection.ts'
import { TilesSkeleton } from '#app/gallery/tiles.tsx'
import { useImageActions } from '#app/gallery/use-image-actions.tsx'
import { useImageListOptions } from '#app/gallery/use-image-list.ts'
import { useScope } from '#app/gallery/use-scope.ts'
import { QueryStanding } from '#app/limits/query-standing.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { LoadMore } from '#app/ui/load-more.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { count } from '#format/counts.ts'
import { TrashList } from './trash-list.tsx'

/** What was deleted and can still come back. */
export function Trash() {
  const account = useAccount()
  const { scope, scopes, setScope } = useScope({ trash: true })
  const place = { scope, trash: true }
  const query = useInfiniteQuery(useImageListOptions(place))
  const items = itemsOf(query.data)
  const maySelect = (item: ImageItem) => rightsOver(account, item).trash
  const selection = useSelection({ place, list: query.data, maySelect })
  const { restore, purge } = useImageActions()
  const [doomed, setDoomed] = useState<readonly ImageItem[]>([])
  const only = doomed.length === 1 ? doomed[0] : undefined
  const purgeable = selection.selected.filter((item) => rightsOver(account, item).purge)
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
          Trash
        </h1>
        {selection.isSelecting ? (
          <SelectionBar selection={selection}>
            <BarButton icon={RotateCcw} word="Restore" onPress={() => restoreAll(selection.selected)} />
            <BarButton
              icon={Trash2}
              word="Delete"
              tone="quiet-danger"
              isDisabled={purgeable.length === 0}
              onPress={() => setDoomed(purgeable)}
            />
          </SelectionBar>
        ) : (
          <>
            <span className="flex-1" />
            {scopes.length > 1 && <Segments label="Whose images" value={scope} options={scopes} onChange={setScope} />}
            {items.some(maySelect) && (
              <Button tone="quiet" size="small" onPress={selection.selectAll}>
                Select all
              </Button>
            )}
          </>
        )}
      </ListBar>
      {query.isPending && <QueryStanding query={query} />}
      {query.isPending && <TilesSkeleton />}
      {query.isSuccess && items.length === 0 && (
        <div className="flex min-h-[50vh] flex-col items-center justify-center gap-3 text-center text-ink-soft">
          <Trash2 size={34} strokeWidth={1.5} />
          <p>The trash is empty.</p>
        </div>
      )}
      <TrashList
        items={items}
        selection={selection}
        onRestore={(item) => restoreAll([item])}
        onPurge={(item) => setDoomed([item])}
      />
      {!query.isPending && <QueryStanding query={query} />}
      <LoadMore
        key={`${scope} ${items.length}`}
        isWanted={query.hasNextPage && !query.isFetching && !query.isError}
        onNear={() => query.fetchNextPage()}
      />
      <Confirm
        isOpen={doomed.length > 0}
        title={only ? `Delete “${nameOf(only)}” for good?` : `Delete ${count(doomed.length, 'image')} for good?`}
        action="Delete for good"
        onClose={() => setDoomed([])}
        onConfirm={() => {
          void purge(doomed)
          selection.clear()
        }}
      >
        {only ? 'Its link stops' : 'Their links stop'} working for everyone, and nobody can bring {only ? 'it' : 'them'}{' '}
        back.
      </Confirm>
    </div>
  )
}
