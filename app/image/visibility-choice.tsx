'use client'

import { useMutation } from '@tanstack/react-query'
import { Globe, Link2, Lock } from 'lucide-react'
import { Radio, RadioGroup } from 'react-aria-components'
import { type ImageItem, useTRPC, type Visibility } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'

const icons = { private: Lock, link: Link2, public: Globe } satisfies Record<Visibility, unknown>
const names = { private: 'Private', link: 'Anyone with the link', public: 'Public' } satisfies Record<
  Visibility,
  string
>

const isVisibility = (value: string): value is Visibility => value in names

function meaningOf(visibility: Visibility, gallery: boolean, current: Visibility): string {
  if (visibility === 'link') return 'Not listed anywhere; whoever has the link sees it.'
  if (visibility === 'public')
    return gallery ? 'Shown in the public gallery.' : 'Open to everyone, and to the moderators of this site.'
  return current === 'private'
    ? 'Only you. Nobody else can open the link.'
    : 'Only you. The link you gave away stops working.'
}

/** Who may see the image, in words that say what follows from it. */
export function VisibilityChoice({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const { gallery } = useSession()
  const trpc = useTRPC()
  const update = useMutation(trpc.image.update.mutationOptions({ onSuccess: onChange }))
  const isHeldBack = useHeldBack(update.error)
  const shown = update.isPending ? (update.variables.visibility ?? image.visibility) : image.visibility
  return (
    <>
      <RadioGroup
        aria-label="Who can see it"
        value={shown}
        isDisabled={isHeldBack}
        onChange={(value) => isVisibility(value) && update.mutate({ id: image.id, visibility: value })}
        className="overflow-hidden rounded-md border border-line bg-surface"
      >
        {(['private', 'link', 'public'] as const).map((visibility) => {
          const Icon = icons[visibility]
          return (
            <Radio
              key={visibility}
              value={visibility}
              className="group flex cursor-pointer items-start gap-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover selected:bg-water-soft focus-visible:-outline-offset-2 disabled:opacity-60"
            >
              <Icon size={17} className="mt-0.5 shrink-0 text-ink-soft group-selected:text-water" />
              <span className="min-w-0 text-sm">
                <span className="block font-medium">{names[visibility]}</span>
                <span className="block leading-snug text-ink-soft">{meaningOf(visibility, gallery, shown)}</span>
              </span>
            </Radio>
          )
        })}
      </RadioGroup>
      <FormFailure error={update.error} />
    </>
  )
}
