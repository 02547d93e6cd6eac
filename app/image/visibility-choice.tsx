'use client'

import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Radio, RadioGroup } from 'react-aria-components'
import { type ImageItem, useTRPC, type Visibility } from '#app/connection/trpc.ts'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { useSession } from '#app/shell/session.tsx'
import { Confirm } from '#app/ui/confirm.tsx'
import { isVisibility, visibilities, visibilityIcons, visibilityNames } from './visibilities.ts'

function meaningOf(visibility: Visibility, image: ImageItem, gallery: boolean, current: Visibility): string {
  if (visibility === 'link') return 'Whoever has the link, and this site’s admins. Not in the public gallery.'
  if (visibility === 'public') {
    const where = gallery
      ? 'The same, and shown in the public gallery.'
      : 'The same, and in the public gallery once it is on.'
    return `${where} Admins may move it to the trash.`
  }
  const readers = `Only ${image.mine ? 'you' : image.owner.username} and superadmins; admins see that it exists.`
  if (current === 'private') return readers
  return `${readers} The link you gave away stops working for good; sharing it again makes a new one.`
}

/** Who may see the image, in words that say what follows from it. Asks before its link is lost: an arrow key is enough to choose, and nothing brings it back. */
export function VisibilityChoice({ image, onChange }: { image: ImageItem; onChange: (image: ImageItem) => void }) {
  const { gallery } = useSession()
  const [isAsking, setAsking] = useState(false)
  const trpc = useTRPC()
  const update = useMutation(trpc.image.update.mutationOptions({ onSuccess: onChange }))
  const isHeldBack = useHeldBack(update.error)
  const shown = update.isPending ? (update.variables.visibility ?? image.visibility) : image.visibility
  const set = (visibility: Visibility) => update.mutate({ id: image.id, visibility })
  const choose = (value: string) => {
    if (!isVisibility(value)) return
    if (value === 'private') setAsking(true)
    else set(value)
  }
  return (
    <>
      <RadioGroup
        aria-label="Who can see it"
        value={shown}
        isDisabled={isHeldBack}
        onChange={choose}
        className="overflow-hidden rounded-md border border-line bg-surface"
      >
        {visibilities.map((visibility) => {
          const Icon = visibilityIcons[visibility]
          return (
            <Radio
              key={visibility}
              value={visibility}
              className="group flex cursor-pointer items-start gap-3 border-line px-3 py-2.5 not-last:border-b hover:bg-hover selected:bg-water-soft focus-visible:-outline-offset-2 disabled:opacity-60"
            >
              <Icon size={17} className="mt-0.5 shrink-0 text-ink-soft group-selected:text-water" />
              <span className="min-w-0 text-sm">
                <span className="block font-medium">{visibilityNames[visibility]}</span>
                <span className="block leading-snug text-ink-soft">{meaningOf(visibility, image, gallery, shown)}</span>
              </span>
            </Radio>
          )
        })}
      </RadioGroup>
      <FormFailure error={update.error} />
      <Confirm
        isOpen={isAsking}
        title="Make it private?"
        action="Make private"
        onClose={() => setAsking(false)}
        onConfirm={() => set('private')}
      >
        The link that you gave away stops working for good; sharing again makes a new one.
      </Confirm>
    </>
  )
}
