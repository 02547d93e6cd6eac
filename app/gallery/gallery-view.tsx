'use client'

import { SquareCheck } from 'lucide-react'
import { useSearchParams } from 'next/navigation'
import { type ReactNode, useEffect, useEffectEvent, useMemo, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { useCopyLink } from '#app/image/use-copy-link.ts'
import { useSession } from '#app/shell/session.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { late } from '#app/ui/late.tsx'
import { Segments } from '#app/ui/segments.tsx'
import { browsed } from './browsed.ts'
import { Empty } from './empty.tsx'
import { writeList } from './list-address.ts'
import type { ListPlace, ListScope } from './list-place.ts'
import { rightsOver } from './rights.ts'
import { keptSelection } from './selecting/kept-selection.ts'
import type { Source } from './selecting/list-source.ts'
import { ListBar, SelectionBar } from './selecting/selection-bar.tsx'
import { useSelection } from './selecting/use-selection.ts'
import { TilesSkeleton } from './tiles-skeleton.tsx'
import type { TileGridProps } from './timeline/tile-grid.tsx'
import { useImageActions } from './use-image-actions.tsx'
import { useScope } from './use-scope.ts'

const NothingFound = late(() => import('./finding/nothing-found.tsx'))
const AlbumDock = late(() => import('#app/albums/adding/album-dock.tsx'))
const SelectionActions = late(() => import('./selecting/selection-actions.tsx'))

const titles = { mine: 'titleMine', all: 'titleAll', gallery: 'titlePublic' } as const satisfies Record<
  ListScope,
  string
>

interface Props {
  place: ListPlace
  source: Source
  isPending: boolean
  isEmpty: boolean
  /** What the list waits for, or why it failed. */
  standing: ReactNode
  /** Keeps where the list is before an image is opened. */
  onLeave?: () => void
  /** Renders the images. */
  children: (props: TileGridProps) => ReactNode
}

/** A list of images with its title, its selection and what can be done with them. */
export function GalleryView({ place, source, isPending, isEmpty, standing, onLeave, children }: Props) {
  const t = useTranslations('gallery')
  const { account } = useSession()
  const { scope: chosen, scopes, setScope } = useScope()
  const { scope } = place
  const address = writeList(useSearchParams())
  const maySelect = (item: ImageItem) => rightsOver(account, item).trash || (account !== null && item.url !== null)
  const list = `${account?.userId} ${source.key}`
  const kept = useMemo(() => keptSelection(list), [list])
  const selection = useSelection({ source, maySelect, kept })
  const storeSelection = useEffectEvent(kept.store)
  useEffect(() => {
    const store = () => storeSelection()
    window.addEventListener('pagehide', store)
    return () => window.removeEventListener('pagehide', store)
  }, [])
  const [dragged, setDragged] = useState<readonly ImageItem[]>([])
  const { trash, setVisibility } = useImageActions()
  const copyLinks = useCopyLink((images) => void setVisibility(images, 'link'))
  const trashAll = (images: readonly ImageItem[]) => {
    const allowed = images.filter((image) => rightsOver(account, image).trash)
    if (allowed.length > 0) void trash(allowed)
    selection.clear()
    return allowed
  }
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
            <SelectionActions
              selected={selection.selected}
              onCopy={copyLinks}
              onTrash={trashAll}
              onDone={selection.clear}
            />
          </SelectionBar>
        ) : (
          <>
            <span className="max-sm:hidden flex-1" />
            {scopes.length > 1 && <Segments label={t('scope')} value={chosen} options={scopes} onChange={setScope} />}
            {account && !isEmpty && (
              <IconButton
                label={t('selectImages')}
                isDisabled={isPending}
                onPress={selection.begin}
                className="max-sm:ml-auto"
              >
                <SquareCheck size={18} />
              </IconButton>
            )}
          </>
        )}
      </ListBar>
      {isPending && standing}
      {isPending && <TilesSkeleton />}
      {isEmpty && !place.query && <Empty scope={scope} />}
      {isEmpty && place.query && <NothingFound />}
      {!isPending &&
        !isEmpty &&
        children({
          label: t(scope === 'mine' ? 'titleMine' : 'listLabel'),
          selection,
          maySelect,
          scope,
          getHref: ({ slug }) => slug && `/image/${slug}${address}`,
          onOpen(around) {
            onLeave?.()
            browsed.open(around)
          },
          onCopy: copyLinks,
          onDelete: trashAll,
          onDrag: (images) => setDragged(images.filter((image) => rightsOver(account, image).file)),
        })}
      {dragged.length > 0 && <AlbumDock images={dragged} onEnd={() => setDragged([])} onAdded={selection.clear} />}
      {!isPending && standing}
    </div>
  )
}
