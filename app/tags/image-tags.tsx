'use client'

import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { type ImageItem, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { late } from '#app/ui/late.tsx'
import { toast } from '#app/ui/toast-queue.ts'
import { PlainTags } from './plain-tags.tsx'
import { TagChips } from './tag-chips.tsx'

const TagField = late(() => import('./tag-field.tsx'))

interface Props {
  image: ImageItem
  isEditable: boolean
  onChange: (image: ImageItem) => void
}

/** The tags of one image. Its editors add and remove them one by one; a removal can be undone. */
export function ImageTags({ image, isEditable, onChange }: Props) {
  const t = useTranslations('tags')
  const client = useTRPCClient()
  const [isAdding, setAdding] = useState(false)
  const [returnsFocus, setReturnsFocus] = useState(false)
  const tags = image.tags ?? []
  const { id, mine } = image

  const add = async (added: readonly string[]) => {
    try {
      const { items } = await client.tag.add.mutate({ images: [id], tags: [...added] })
      for (const item of items) {
        if (item.outcome === 'done') onChange(item.image)
        else toast({ title: t('full') })
      }
    } catch (error) {
      reportFailure(t('notAdded'), error, () => void add(added))
    }
  }
  const remove = async (tag: string) => {
    try {
      const { items } = await client.tag.remove.mutate({ images: [id], tags: [tag] })
      for (const item of items) if (item.outcome === 'done') onChange(item.image)
      toast({ title: t('removed', { tag }), action: { label: t('undo'), run: () => void add([tag]) } })
    } catch (error) {
      reportFailure(t('notRemoved'), error, () => void remove(tag))
    }
  }
  const close = () => {
    setAdding(false)
    setReturnsFocus(true)
  }
  if (!isEditable) return <PlainTags tags={tags} label={t('title')} />
  return (
    <div className="flex flex-col gap-2.5">
      <TagChips tags={tags} label={t('title')} isLinked={mine} onRemove={(tag) => void remove(tag)}>
        {!isAdding && (
          <Button
            tone="quiet"
            size="small"
            onPress={() => setAdding(true)}
            onPointerEnter={TagField.load}
            onFocus={TagField.load}
            autoFocus={returnsFocus}
            className="rounded-full text-ink-soft in-[li:only-child]:-ml-3"
          >
            <Plus size={16} /> {t('add')}
          </Button>
        )}
      </TagChips>
      {isAdding && (
        <TagField
          label={t('add')}
          taken={tags}
          suggests={mine}
          opensAtOnce
          onAdd={(added) => void add(added)}
          onClose={close}
        />
      )}
    </div>
  )
}
