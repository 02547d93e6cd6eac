'use client'

import { Bookmark, SlidersHorizontal } from 'lucide-react'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { BarButton } from '#app/gallery/selecting/selection-bar.tsx'
import { Dialog } from '#app/ui/dialog.tsx'
import { late } from '#app/ui/late.tsx'
import { Search } from '#app/ui/search.tsx'
import { useTyped } from '#app/ui/use-typed.ts'
import type { ListScope } from '../list-place.ts'
import { MAX_TEXT } from './finding.ts'
import { SortSelect } from './sort-select.tsx'
import type { FindingState } from './use-finding.ts'

const FilterFields = late(() => import('./filter-fields.tsx'))
const SavedViews = late(() => import('./saved-views.tsx'))

/** The box that finds images, the filters and the order. */
export function FindingBar({ state, scope }: { state: FindingState; scope: ListScope }) {
  const t = useTranslations('finding')
  const { finding, narrow } = state
  const [open, setOpen] = useState<'filters' | 'views' | null>(null)
  const close = () => setOpen(null)
  const [text, setText] = useTyped(finding.query.text, (typed) => narrow({ text: typed || undefined }))
  return (
    <search aria-label={t('label')} className="flex min-w-0 items-center gap-2">
      <Search
        label={t('search')}
        placeholder={t('placeholder')}
        hint={t(scope === 'all' ? 'searchHintAll' : 'searchHint')}
        value={text}
        onChange={(typed) => setText(typed.slice(0, MAX_TEXT))}
        className="min-w-0 flex-1 lg:max-w-xl"
      />
      <BarButton
        icon={SlidersHorizontal}
        word={t('filters')}
        aria-haspopup="dialog"
        onPointerEnter={FilterFields.load}
        onFocus={FilterFields.load}
        onPress={() => setOpen('filters')}
      />
      <BarButton
        icon={Bookmark}
        word={t('views')}
        aria-haspopup="dialog"
        onPointerEnter={SavedViews.load}
        onFocus={SavedViews.load}
        onPress={() => setOpen('views')}
      />
      <div className="w-34 max-sm:hidden">
        <SortSelect state={state} isLabelHidden />
      </div>
      <Dialog title={t('filters')} isOpen={open === 'filters'} onClose={close}>
        <FilterFields state={state} onClose={close} />
      </Dialog>
      <Dialog title={t('views')} isOpen={open === 'views'} onClose={close}>
        <SavedViews state={state} onClose={close} />
      </Dialog>
    </search>
  )
}
