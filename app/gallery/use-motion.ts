'use client'

import { type PointerEvent, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { movesCheaply } from '#app/image/renditions.ts'
import { prefersReducedMotion } from '#app/ui/use-reduced-motion.ts'

/** Playback of an animation in a grid: paused until the user plays it or points at it. Pointing plays it only if that loads little and reduced motion is off. */
export function useMotion(image: Pick<ImageItem, 'url' | 'variants' | 'frames' | 'width'>) {
  const [isOn, setOn] = useState<boolean | null>(null)
  const [isUnderMouse, setUnderMouse] = useState(false)
  const isAnimation = image.frames > 1 && image.url !== null
  const isPlaying = isAnimation && (isOn ?? (isUnderMouse && movesCheaply(image)))
  return {
    isAnimation,
    isPlaying,
    toggle: () => setOn(!isPlaying),
    pointer: {
      // Asked when it matters: whatever each tile subscribed to would render all of them again after hydration.
      onPointerEnter: ({ pointerType }: PointerEvent) =>
        setUnderMouse(pointerType === 'mouse' && !prefersReducedMotion()),
      onPointerLeave: () => {
        setUnderMouse(false)
        // An animation paused while pointing plays again the next time.
        setOn((on) => on || null)
      },
    },
  }
}
