'use client'

import { Check, Globe, Link2, Lock } from 'lucide-react'
import { memo } from 'react'
import { useTranslations } from 'use-intl/react'
import { ownerName } from '#app/ui/owner-name.ts'
import { Tip } from '#app/ui/tip.tsx'
import { MotionToggle } from './motion-toggle.tsx'
import { imageName } from './selecting/many.ts'
import { TileFace } from './tile-face.tsx'
import { Badge } from './tile-parts.tsx'
import type { TileProps } from './tile-props.ts'
import { clampRatio } from './tile-shape.ts'
import { useMotion } from './use-motion.ts'

/** An image in the grid. Its width follows from its aspect ratio and the row height, so that nothing moves when it loads. Memoized: a grid can hold thousands. */
export const Tile = memo(function Tile(props: TileProps) {
  const { item, isSelected, maySelect, showOwner, isGallery, isActive, index, actions } = props
  const t = useTranslations('gallery')
  const ratio = clampRatio(item)
  const name = imageName(item, t)
  const owner = ownerName(item.owner)
  const motion = useMotion(item)
  return (
    <li
      {...motion.pointer}
      className="group @container relative overflow-hidden rounded-[3px] bg-sunken"
      style={{ flexGrow: ratio, flexBasis: `calc(var(--row) * ${ratio})`, aspectRatio: ratio }}
    >
      <TileFace {...props} name={name} isPlaying={motion.isPlaying} />
      <span
        aria-hidden="true"
        className={`pointer-events-none absolute inset-0 rounded-[3px] outline-water transition-shadow duration-100 group-has-[[data-tile]:focus-visible]:outline-3 ${isSelected ? 'forced-color-adjust-none -outline-offset-9 bg-water/25 shadow-[inset_0_0_0_4px_var(--color-water),inset_0_0_0_5px_var(--color-ground)]' : '-outline-offset-3 shadow-[inset_0_0_0_1px_rgb(128_128_128/0.16)]'}`}
      />
      <span className="pointer-events-none absolute right-2 bottom-2 flex max-w-[calc(100%-1rem)] items-center gap-1">
        {showOwner && !item.mine && item.slug && owner !== null && <Badge>{owner}</Badge>}
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
      {item.url && (
        <Tip text={t('copyLink', { name })}>
          <button
            type="button"
            aria-label={t('copyLink', { name })}
            tabIndex={isActive ? 0 : -1}
            onClick={() => actions.current.copy(index)}
            className={`absolute right-0 hidden size-10 place-items-center opacity-0 transition-opacity duration-100 group-focus-within:opacity-100 group-hover:opacity-100 in-data-selecting:hidden! @min-[5.5rem]:grid pointer-coarse:opacity-100 ${motion.isAnimation ? 'top-8' : 'top-0'}`}
          >
            <Link2
              size={24}
              className="rounded-full bg-black/50 p-1 text-white transition-colors duration-100 hover:bg-black/80"
            />
          </button>
        </Tip>
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
