'use client'

import { Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { Confirm } from '#app/ui/confirm.tsx'
import { IconButton } from '#app/ui/icon-button.tsx'
import { useFormat } from '#app/ui/use-format.ts'
import { countText } from './count-text.ts'
import { RenameTag } from './rename-tag.tsx'
import { tagHref } from './tag-chips.tsx'
import { useDeleteTag } from './use-delete-tag.ts'
import type { TagItem } from './use-tags.ts'

/** From here on the server can no longer undo the deletion of a tag at once. */
const UNDOABLE = 200

/** A tag that opens its images, with its count; renamed in place, and deleted. */
export function TagLine({ tag, isEditable }: { tag: TagItem; isEditable: boolean }) {
  const t = useTranslations('tags')
  const format = useFormat()
  const [isRenaming, setRenaming] = useState(false)
  const [returnsFocus, setReturnsFocus] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const remove = useDeleteTag()
  const close = () => {
    setRenaming(false)
    setReturnsFocus(true)
  }
  const { name } = tag
  if (isRenaming) {
    return (
      <li className="border-line px-3 py-2 not-last:border-b">
        <RenameTag tag={tag} onClose={close} />
      </li>
    )
  }
  return (
    <li className="flex min-h-12 items-center gap-1 border-line pr-2 not-last:border-b hover:bg-hover">
      <Link
        href={tagHref(name)}
        prefetch={false}
        className="flex min-w-0 flex-1 items-baseline gap-3 self-stretch px-4 py-3 focus-visible:-outline-offset-2"
      >
        <span dir="auto" className="truncate font-medium">
          {name}
        </span>
        <span className="figures ml-auto shrink-0 text-sm text-ink-soft">
          {t('images', { count: tag.count, shown: countText(tag, format) })}
        </span>
      </Link>
      {isEditable && (
        <>
          <IconButton label={t('rename', { tag: name })} autoFocus={returnsFocus} onPress={() => setRenaming(true)}>
            <Pencil size={16} />
          </IconButton>
          <IconButton
            label={t('delete', { tag: name })}
            tone="quiet-danger"
            onPress={() => (tag.count > UNDOABLE ? setAsking(true) : void remove(tag))}
          >
            <Trash2 size={16} />
          </IconButton>
          <Confirm
            isOpen={isAsking}
            title={t('deleteTitle', { tag: name })}
            action={t('deleteAction')}
            onClose={() => setAsking(false)}
            onConfirm={() => void remove(tag)}
          >
            {t('deleteText', { shown: countText(tag, format) })}
          </Confirm>
        </>
      )}
    </li>
  )
}
