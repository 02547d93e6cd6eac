'use client'

import { Check, Globe, Lock } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl/react'
import { ownerName } from '#app/ui/owner-name.ts'
import { MotionToggle } from './motion-toggle.tsx'
import { imageName } from './selecting/many.ts'
import { TileCopy } from './tile-copy.tsx'
import { TileFace } from './tile-face.tsx'
import { TileHeart } from './tile-heart.tsx'
import { Badge } from './tile-parts.tsx'
import type { TileProps } from './tile-props.ts'
import { clampRatio, growStyle, hasRoom } from './tile-shape.ts'
import { useMotion } from './use-motion.ts'

/** An image in the grid. Where it is follows from its aspect ratio, so that nothing moves when it loads. Memoized, because scrolling
 *  renders the grid again, and of few elements, because a hundred tiles are in the page at a time. */
export const Tile = memo(function Tile(props: TileProps) {
  const {
    item,
    isSelected,
    maySelect,
    mayMark,
    showOwner,
    isGallery,
    isActive,
    index,
    position,
    amount,
    box,
    actions,
    Extra,
  } = props
  const t = useTranslations('gallery')
  const name = imageName(item, t)
  const owner = ownerName(item.owner)
  const motion = useMotion(item)
  const isOwnerShown = showOwner && !item.mine && item.slug !== null && owner !== null
  const isLocked = item.visibility === 'private' && item.slug !== null
  const hasButtons = item.url !== null && hasRoom(item, box)
  const isPublic = item.visibility === 'public' && !isGallery
  return (
    <li
      {...motion.pointer}
      aria-posinset={position}
      aria-setsize={amount}
      className={`group overflow-hidden rounded-[3px] bg-sunken after:pointer-events-none after:absolute after:inset-0 after:rounded-[3px] after:outline-water after:transition-shadow after:duration-100 has-[[data-tile]:focus-visible]:after:outline-3 ${box ? 'absolute' : 'relative'} ${isSelected ? 'after:forced-color-adjust-none after:-outline-offset-9 after:bg-water/25 after:shadow-[inset_0_0_0_4px_var(--color-water),inset_0_0_0_5px_var(--color-ground)]' : 'after:-outline-offset-3 after:shadow-[inset_0_0_0_1px_rgb(128_128_128/0.16)]'}`}
      style={box ?? growStyle(clampRatio(item))}
    >
      <TileFace {...props} name={name} isPlaying={motion.isPlaying} />
      {(isOwnerShown || isLocked || isPublic) && (
        <span className="pointer-events-none absolute right-2 bottom-2 z-1 flex max-w-[calc(100%-1rem)] items-center gap-1">
          {isOwnerShown && <Badge>{owner}</Badge>}
          {isLocked && <Badge icon={<Lock size={12} aria-label={t('private')} />} />}
          {isPublic && <Badge icon={<Globe size={12} aria-label={t('public')} />} />}
        </span>
      )}
      {motion.isAnimation && (
        <MotionToggle
          image={item}
          name={name}
          isPlaying={motion.isPlaying}
          tabIndex={isActive ? 0 : -1}
          onToggle={motion.toggle}
          className="absolute top-2 right-2 z-1"
        />
      )}
      {hasButtons && (
        <TileCopy
          name={name}
          tabIndex={isActive ? 0 : -1}
          onCopy={() => actions.current.copy(index)}
          className={motion.isAnimation ? 'top-8' : 'top-0'}
        />
      )}
      {hasButtons && mayMark && (
        <TileHeart
          name={name}
          isFavourite={item.favourite}
          tabIndex={isActive ? 0 : -1}
          onToggle={() => actions.current.favourite(index)}
          className={`absolute right-0 z-1 ${motion.isAnimation ? 'top-16' : 'top-8'}`}
        />
      )}
      {Extra && <Extra item={item} index={index} isActive={isActive} />}
      {maySelect && (
        <label className="absolute top-0 left-0 z-1 grid size-10 cursor-pointer place-items-center opacity-0 forced-color-adjust-none transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 in-data-selecting:opacity-100">
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
          {isSelected && <Check size={15} strokeWidth={3} className="pointer-events-none relative text-on-water" />}
        </label>
      )}
    </li>
  )
})
