'use client'

import { ImageOff } from 'lucide-react'
import { usePicture } from '#app/image/use-picture.ts'
import { Gate } from '#app/limits/gate.tsx'

interface Props {
  src: string
  alt: string
  width?: number
  height?: number
  className?: string
}

/** A small picture in the box it is given. One that a limit holds back shows the gate, and comes by itself. */
export function Thumbnail({ src, alt, className = '', ...size }: Props) {
  const { state, attempt, onLoad, onError } = usePicture(src)
  if (state === 'broken' || state === 'refused') {
    const label = state === 'refused' ? `${alt}: waits for a limit` : `${alt}: could not be loaded`
    return (
      <span role="img" aria-label={label} className="grid size-full place-items-center text-ink-soft">
        {state === 'refused' ? <Gate progress={0} className="size-6 text-gate" /> : <ImageOff size={20} />}
      </span>
    )
  }
  return (
    <img
      key={attempt}
      src={src}
      alt={alt}
      {...size}
      loading="lazy"
      decoding="async"
      onLoad={onLoad}
      onError={onError}
      className={`size-full object-cover ${className}`}
    />
  )
}
