import { Globe, Link2, Lock } from 'lucide-react'
import type { Visibility } from '#app/connection/trpc.ts'

/** From the fewest viewers to the most. */
export const visibilities = ['private', 'link', 'public'] as const satisfies readonly Visibility[]

export const visibilityIcons = { private: Lock, link: Link2, public: Globe } satisfies Record<Visibility, unknown>

export const isVisibility = (value: string): value is Visibility => value in visibilityIcons
