'use client'

import { Lock, type LucideIcon, RotateCcw, Trash2 } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { rightsOver } from '#app/gallery/rights.ts'
import { imageName } from '#app/gallery/selecting/many.ts'
import { Thumbnail } from '#app/gallery/thumbnail.tsx'
import { useAccount } from '#app/shell/session.tsx'
import { Button } from '#app/ui/button.tsx'
import type { Tone } from '#app/ui/button-class.ts'
import { LocalDate, Remaining } from '#app/ui/moment.tsx'
import { ownerName } from '#app/ui/owner-name.ts'
import { Tip } from '#app/ui/tip.tsx'
import { useFormat } from '#app/ui/use-format.ts'

interface RowProps {
  item: ImageItem
  isSelected: boolean
  onToggle: () => void
  onRestore: () => void
  onPurge: () => void
}

/** An image in the trash, how long it stays there, and what can be done with it. */
export function TrashRow({ item, isSelected, onToggle, onRestore, onPurge }: RowProps) {
  const t = useTranslations('trash')
  const tGallery = useTranslations('gallery')
  const format = useFormat()
  const account = useAccount()
  const rights = rightsOver(account, item)
  const name = imageName(item, tGallery)
  const { trashedAt, purgeAt } = item
  const owner = item.mine ? null : ownerName(item.owner)
  return (
    <>
      {/* The thumbnail is part of the label, so that tapping it selects the image. */}
      <label className="flex shrink-0 items-center gap-2.5 sm:gap-4">
        <input
          type="checkbox"
          aria-label={tGallery('selectImage', { name })}
          checked={isSelected}
          disabled={!rights.trash}
          onChange={onToggle}
          className="size-4.5 shrink-0"
        />
        <span className="grid h-12 w-14 shrink-0 place-items-center overflow-hidden rounded-[3px] bg-sunken text-ink-soft sm:h-14 sm:w-20">
          {item.url ? <Thumbnail image={item} alt="" sizes="5rem" /> : <Lock size={18} />}
        </span>
      </label>
      <div className="min-w-0 flex-1">
        <p dir="auto" className="truncate font-medium">
          {name}
        </p>
        <p className="truncate text-sm text-ink-soft">
          {owner !== null && `${owner} · `}
          <span className="figures">{format.bytes(item.size)}</span>
          {trashedAt && (
            <span className="max-sm:hidden">
              {' · '}
              {t.rich('deleted', { date: () => <LocalDate iso={trashedAt} time /> })}
            </span>
          )}
        </p>
        {purgeAt && (
          <p className="figures text-sm text-ink-soft">
            <span className="md:hidden">{t.rich('expires', { remaining: () => <Remaining iso={purgeAt} /> })}</span>
            <span className="max-md:hidden">
              {t.rich('expiresOn', {
                date: () => <LocalDate iso={purgeAt} />,
                remaining: () => <Remaining iso={purgeAt} />,
              })}
            </span>
          </p>
        )}
      </div>
      {rights.trash && (
        <RowButton icon={RotateCcw} word={t('restore')} label={t('restoreImage', { name })} onPress={onRestore} />
      )}
      {rights.purge && (
        <RowButton
          icon={Trash2}
          word={t('delete')}
          label={t('deleteImage', { name })}
          tone="quiet-danger"
          onPress={onPurge}
        />
      )}
    </>
  )
}

interface RowButtonProps {
  icon: LucideIcon
  word: string
  label: string
  tone?: Tone
  onPress: () => void
}

/** On a phone it shows its icon only. */
function RowButton({ icon: Icon, word, label, tone = 'plain', onPress }: RowButtonProps) {
  return (
    <Tip text={label} until="sm">
      <Button tone={tone} size="small" aria-label={label} onPress={onPress} className="max-sm:size-9 max-sm:px-0">
        <Icon size={16} /> <span className="max-sm:hidden">{word}</span>
      </Button>
    </Tip>
  )
}
