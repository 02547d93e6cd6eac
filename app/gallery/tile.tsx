'use client'

import { Check, Globe, Lock } from 'lucide-react'
import Link from 'next/link'
import { type MouseEvent, memo, type RefObject } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { MotionToggle } from './motion-toggle.tsx'
import { imageName } from './selecting/many.ts'
import { Thumbnail } from './thumbnail.tsx'
import { useMotion } from './use-motion.ts'

interface Props {
  item: ImageItem
  isActive: boolean
  isSelected: boolean
  maySelect: boolean
  showOwner: boolean
  /** Whether all images are public, so that the badge is left out. */
  isGallery: boolean
  href: string | null
  index: number
  /** The actions on a tile, by its index. */
  actions: RefObject<TileActions>
}

export interface TileActions {
  /** Whether a click selects. The list has `data-selecting` then, and every tile shows its checkbox. */
  readonly isSelecting: boolean
  readonly focus: (index: number) => void
  readonly toggle: (index: number, through: boolean) => void
  readonly open: () => void
}

/** The aspect ratio of the tile. Very wide and very tall images are cropped to the middle. */
const clampRatio = ({ width, height }: ImageItem): number => Math.min(2.8, Math.max(0.56, width / height))

/** The browser knows the width of a tile, but not of an image that is cropped at its sides. */
const writeSizes = ({ width, height }: ImageItem): string =>
  width / height > 2.8 ? `${Math.round((14 * width) / height)}rem` : `auto, ${Math.round(14 * (width / height))}rem`

/** An image in the grid. Its width follows from its aspect ratio and the row height, so that nothing moves when it loads. Memoized: a grid can hold thousands. */
export const Tile = memo(function Tile(props: Props) {
  const { item, isSelected, maySelect, showOwner, isGallery, isActive, index, actions } = props
  const t = useTranslations('gallery')
  const ratio = clampRatio(item)
  const name = imageName(item, t)
  const motion = useMotion(item)
  return (
    <li
      {...motion.pointer}
      className="group relative overflow-hidden rounded-[3px] bg-sunken"
      style={{ flexGrow: ratio, flexBasis: `calc(var(--row) * ${ratio})`, aspectRatio: ratio }}
    >
      <Face {...props} name={name} isPlaying={motion.isPlaying} />
      <span
        aria-hidden="true"
        className={`pointer-events-none absolute inset-0 rounded-[3px] outline-water transition-shadow duration-100 group-has-[[data-tile]:focus-visible]:outline-3 ${isSelected ? 'forced-color-adjust-none -outline-offset-9 bg-water/25 shadow-[inset_0_0_0_4px_var(--color-water),inset_0_0_0_5px_var(--color-ground)]' : '-outline-offset-3 shadow-[inset_0_0_0_1px_rgb(128_128_128/0.16)]'}`}
      />
      <span className="pointer-events-none absolute right-2 bottom-2 flex max-w-[calc(100%-1rem)] items-center gap-1">
        {showOwner && !item.mine && item.slug && <Badge>{item.owner.username}</Badge>}
        {item.visibility === 'private' && item.slug && <Badge icon={<Lock size={12} aria-label={t('private')} />} />}
        {item.visibility === 'public' && !isGallery && <Badge icon={<Globe size={12} aria-label={t('public')} />} />}
      </span>
      {motion.isAnimation && (
        <MotionToggle
          image={item}
          name={name}
          isPlaying={motion.isPlaying}
          tabIndex={isActive ? 0 : -1}
          onToggle={motion.toggle}
          className="absolute top-2 right-2"
        />
      )}
      {maySelect && (
        <label className="absolute top-0 left-0 grid size-10 cursor-pointer place-items-center opacity-0 forced-color-adjust-none transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 in-data-selecting:opacity-100">
          <input
            type="checkbox"
            aria-label={t('selectImage', { name })}
            checked={isSelected}
            tabIndex={isActive ? 0 : -1}
            onChange={({ nativeEvent }) =>
              actions.current.toggle(index, nativeEvent instanceof PointerEvent && nativeEvent.shiftKey)
            }
            className="peer absolute inset-2 size-6 cursor-pointer appearance-none rounded-full border-2 border-white bg-black/35 shadow-sm checked:bg-water"
          />
          <Check
            size={15}
            strokeWidth={3}
            className="pointer-events-none relative hidden text-on-water peer-checked:block"
          />
        </label>
      )}
    </li>
  )
})

function Face({ item, href, name, isActive, isPlaying, index, actions }: Props & { name: string; isPlaying: boolean }) {
  const shared = { 'data-tile': '', tabIndex: isActive ? 0 : -1, onFocus: () => actions.current.focus(index) } as const
  if (!item.url || !href) {
    const content = (
      <>
        <Lock size={20} />
        <span className="max-w-full truncate text-xs">{item.owner.username}</span>
      </>
    )
    return (
      <div
        {...shared}
        role="img"
        aria-label={name}
        className="flex size-full flex-col items-center justify-center gap-1.5 bg-[repeating-linear-gradient(135deg,transparent_0_9px,var(--color-line)_9px_10px)] p-2 text-ink-soft focus-visible:-outline-offset-2"
      >
        {content}
      </div>
    )
  }
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey) return
    if (!actions.current.isSelecting) return actions.current.open()
    event.preventDefault()
    actions.current.toggle(index, event.shiftKey)
  }
  return (
    <Link
      {...shared}
      href={href}
      prefetch={false}
      draggable={false}
      onClick={click}
      className="block size-full outline-none"
    >
      <Thumbnail image={item} alt={name} sizes={writeSizes(item)} isPlaying={isPlaying} />
      <span
        aria-hidden="true"
        dir="auto"
        className="pointer-events-none absolute inset-x-0 bottom-0 truncate bg-linear-to-t from-black/65 to-transparent px-2.5 pt-7 pr-12 pb-2 text-[0.8125rem] font-medium text-white opacity-0 transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100"
      >
        {name}
      </span>
    </Link>
  )
}

function Badge({ icon, children }: { icon?: React.ReactNode; children?: string }) {
  return (
    <span className="flex h-5 min-w-0 items-center gap-1 rounded-sm bg-black/55 px-1 text-[0.6875rem] font-medium text-white">
      {icon}
      {children && <span className="truncate px-0.5">{children}</span>}
    </span>
  )
}
