'use client'

import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { TagChips } from '#app/tags/tag-chips.tsx'
import { Button } from '#app/ui/button.tsx'
import { Dialog, DialogActions } from '#app/ui/dialog.tsx'
import { late } from '#app/ui/late.tsx'
import { countTags, type TagChange } from './tag-changes.ts'

const TagField = late(() => import('#app/tags/tag-field.tsx'))

interface Props {
  images: readonly ImageItem[]
  isOpen: boolean
  onClose: () => void
  onSave: (change: TagChange) => void
}

/** Tags to add to the selected images, and those that they have, to remove. Nothing is changed before it is saved. */
export default function TagsDialog({ images, isOpen, onClose, onSave }: Props) {
  const tTags = useTranslations('tags')
  const tUi = useTranslations('ui')
  const [add, setAdd] = useState<readonly string[]>([])
  const [remove, setRemove] = useState<readonly string[]>([])
  const present = countTags(images)
  const kept = present.map(({ tag }) => tag).filter((tag) => !remove.includes(tag))
  const put = (tags: readonly string[]) => {
    setRemove(remove.filter((tag) => !tags.includes(tag)))
    const everywhere = new Set(present.filter(({ count }) => count === images.length).map(({ tag }) => tag))
    setAdd([...new Set([...add, ...tags.filter((tag) => !everywhere.has(tag))])])
  }
  const save = () => {
    onClose()
    if (add.length + remove.length > 0) onSave({ add, remove })
  }
  return (
    <Dialog title={tTags('ofImages', { count: images.length })} isOpen={isOpen} onClose={onClose}>
      <div className="flex flex-col gap-2">
        <TagField
          standIn={<div className="h-10" />}
          label={tTags('addToAll')}
          taken={add}
          suggests={images.every(({ mine }) => mine)}
          onAdd={put}
        />
        {add.length > 0 && (
          <TagChips tags={add} label={tTags('toAdd')} onRemove={(tag) => setAdd(add.filter((each) => each !== tag))} />
        )}
      </div>
      {kept.length > 0 && (
        <section className="flex max-h-64 flex-col gap-2 overflow-y-auto">
          <h3 className="text-sm font-medium text-ink-soft">{tTags('present')}</h3>
          <TagChips tags={kept} label={tTags('present')} onRemove={(tag) => setRemove([...remove, tag])} />
        </section>
      )}
      {remove.length > 0 && (
        <section className="flex flex-col gap-2">
          <h3 className="text-sm font-medium text-ink-soft">{tTags('toRemove')}</h3>
          <ul className="flex flex-wrap gap-1.5">
            {remove.map((tag) => (
              <li key={tag}>
                <Button
                  tone="plain"
                  size="small"
                  aria-label={tTags('keep', { tag })}
                  onPress={() => setRemove(remove.filter((each) => each !== tag))}
                  className="max-w-full rounded-full text-ink-soft line-through"
                >
                  <span dir="auto" className="truncate">
                    {tag}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </section>
      )}
      <DialogActions>
        <Button onPress={onClose}>{tUi('cancel')}</Button>
        <Button tone="primary" onPress={save} isDisabled={add.length + remove.length === 0}>
          {tTags('save')}
        </Button>
      </DialogActions>
    </Dialog>
  )
}
