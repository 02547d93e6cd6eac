'use client'

import { type PointerEvent, useState } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { movesCheaply } from '#app/image/renditions.ts'
import { useReducedMotion } from '#app/ui/use-reduced-motion.ts'

/** An animation among others stands still. It moves under a mouse, where that costs little and no reader minds, and for whoever presses play. */
export function useMotion(image: ImageItem) {
  const [isOn, setOn] = useState<boolean | null>(null)
  const [isUnderMouse, setUnderMouse] = useState(false)
  const prefersStill = useReducedMotion()
  const isAnimation = image.frames > 1 && image.url !== null
  const isPlaying = isAnimation && (isOn ?? (isUnderMouse && !prefersStill && movesCheaply(image)))
  return {
    isAnimation,
    isPlaying,
    toggle: () => setOn(!isPlaying),
    pointer: {
      onPointerEnter: ({ pointerType }: PointerEvent) => setUnderMouse(pointerType === 'mouse'),
      onPointerLeave: () => {
        setUnderMouse(false)
        // Stopped under the mouse, it moves again at the next visit.
        setOn((on) => on || null)
      },
    },
  }
}
