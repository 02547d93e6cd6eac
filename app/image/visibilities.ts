import { Globe, Link2, Lock } from 'lucide-react'
import type { Visibility } from '#app/connection/trpc.ts'

/** From the fewest readers to the most. */
export const visibilities = ['private', 'link', 'public'] as const satisfies readonly Visibility[]

export const visibilityIcons = { private: Lock, link: Link2, public: Globe } satisfies Record<Visibility, unknown>

/** Who may see an image, in a word or two. */
export const visibilityNames = {
  private: 'Private',
  link: 'Anyone with the link',
  public: 'Public',
} satisfies Record<Visibility, string>

export const isVisibility = (value: string): value is Visibility => value in visibilityNames
