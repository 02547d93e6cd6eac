'use client'

import { type ComponentProps, startTransition, useEffect, useRef } from 'react'
import { noteLoaded } from './loaded.ts'
import type { PictureSource } from './renditions.ts'
import type { PictureState } from './use-picture.ts'

interface Props extends Omit<ComponentProps<'img'>, 'src' | 'srcSet' | 'ref' | 'alt' | 'onLoad' | 'onError'> {
  source: PictureSource
  alt: string
  picture: PictureState
}

/** An image element. A paused animation is covered by its first frame. The box around it is `relative`. */
export function Rendering({ source, alt, picture, className = '', ...attributes }: Props) {
  const { src, srcSet, freezes } = source
  const image = useRef<HTMLImageElement>(null)
  const canvas = useRef<HTMLCanvasElement>(null)
  const { state, attempt, onLoad, onError } = picture
  useEffect(() => {
    // Images that loaded or failed before hydration fired no event.
    if (!image.current?.complete) return
    const { naturalWidth, currentSrc } = image.current
    if (naturalWidth === 0) return void onError(currentSrc)
    noteLoaded(currentSrc)
    // Dozens of them need not be rendered again at once.
    startTransition(onLoad)
  }, [onLoad, onError])
  useEffect(() => {
    if (freezes && state === 'shown' && image.current && canvas.current) paintFirstFrame(image.current, canvas.current)
  }, [freezes, state])
  return (
    <>
      <img
        {...attributes}
        key={attempt}
        ref={image}
        src={src}
        srcSet={srcSet}
        alt={alt}
        onLoad={({ currentTarget }) => {
          noteLoaded(currentTarget.currentSrc)
          onLoad()
        }}
        onError={({ currentTarget }) => void onError(currentTarget.currentSrc)}
        className={`${className} ${freezes ? 'opacity-0' : ''}`}
      />
      {/* No pointer events: an element removed under the mouse fires no pointerleave. */}
      {freezes && <canvas ref={canvas} className={`pointer-events-none absolute inset-0 ${className}`} />}
    </>
  )
}

/** drawImage draws an animation's first frame, whichever one is shown (HTML, 4.12.5.1.14). */
function paintFirstFrame(image: HTMLImageElement, canvas: HTMLCanvasElement): void {
  canvas.width = image.naturalWidth
  canvas.height = image.naturalHeight
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
}
