'use client'

import { Maximize, Minimize, Minus, Plus } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslations } from 'use-intl/react'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import type { Zoom } from './zoom.ts'

interface Props {
  zoom: Zoom
  isFull: boolean
  onStep: (direction: 'in' | 'out') => void
  onSet: (zoom: Zoom) => void
  onFull: () => void
}

/** The scales offered by name. */
const scales = [0.5, 1, 2, 4] as const

/** Zooms in and out, chooses a zoom, and fills the screen. Without script there is none of it. */
export function ZoomBar({ zoom, isFull, onStep, onSet, onFull }: Props) {
  const t = useTranslations('image')
  const format = useFormat()
  const other = typeof zoom === 'number' && !scales.some((scale) => scale === zoom)
  const choose = (value: string) => onSet(value === 'fit' || value === 'width' ? value : Number(value))
  return (
    <fieldset
      aria-label={t('zoom')}
      className="absolute right-3 bottom-3 flex items-center rounded-full bg-black/65 text-white backdrop-blur-sm noscript:hidden"
    >
      <Part label={t('zoomOut')} onPress={() => onStep('out')}>
        <Minus size={18} />
      </Part>
      <select
        aria-label={t('zoomLevel')}
        value={zoom}
        onChange={({ target }) => choose(target.value)}
        className="figures h-10 cursor-pointer appearance-none bg-transparent px-1 text-center text-xs font-medium [text-align-last:center] focus-visible:-outline-offset-2"
      >
        <Choice value="fit" name={t('zoomFit')} />
        <Choice value="width" name={t('zoomWidth')} />
        {other && <Choice value={zoom} name={format.share(zoom)} />}
        {scales.map((scale) => (
          <Choice key={scale} value={scale} name={format.share(scale)} />
        ))}
      </select>
      <Part label={t('zoomIn')} onPress={() => onStep('in')}>
        <Plus size={18} />
      </Part>
      <Part label={t(isFull ? 'leaveFullScreen' : 'fullScreen')} onPress={onFull}>
        {isFull ? <Minimize size={17} /> : <Maximize size={17} />}
      </Part>
    </fieldset>
  )
}

function Part(props: { label: string; onPress: () => void; children: ReactNode }) {
  return (
    <IconButton
      tone="bare"
      label={props.label}
      onPress={props.onPress}
      className="grid size-10 place-items-center rounded-full transition-colors hover:bg-black/50"
    >
      {props.children}
    </IconButton>
  )
}

const Choice = ({ value, name }: { value: Zoom; name: string }) => (
  <option value={value} className="bg-raised text-ink">
    {name}
  </option>
)
