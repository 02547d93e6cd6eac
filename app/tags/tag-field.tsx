'use client'

import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type KeyboardEvent, useState } from 'react'
import { ComboBox, Input, ListBox, ListBoxItem, Popover } from 'react-aria-components'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { AriaProvider } from '#app/ui/aria-provider.tsx'
import { inputClass } from '#app/ui/input-class.ts'
import { useFormat } from '#app/ui/use-format.ts'
import { countText } from './count-text.ts'
import { splitTags } from './split-tags.ts'

const SHOWN = 8

interface Props {
  label: string
  /** Tags that are there already, which are not suggested. */
  taken: readonly string[]
  /** Whether the reader's own tags are those to choose from. */
  suggests: boolean
  /** Whether all tags are suggested at once, before anything is typed. */
  opensAtOnce?: boolean
  onAdd: (tags: readonly string[]) => void
  /** Called for Escape in the empty field. */
  onClose?: () => void
}

/** A field for one tag after the other, with the tags that begin with what is typed. Enter and a comma add a tag. */
export default function TagField({ label, taken, suggests, opensAtOnce = false, onAdd, onClose }: Props) {
  const t = useTranslations('tags')
  const format = useFormat()
  const trpc = useTRPC()
  const [text, setText] = useState('')
  const wanted = text.trim()
  const isOpening = opensAtOnce || wanted !== ''
  const query = useQuery({
    ...trpc.tag.list.queryOptions({ text: wanted, limit: Math.min(SHOWN + taken.length, 100) }),
    // Asked for before anything is typed: the list opens with the text, and not when an answer comes.
    enabled: suggests,
    placeholderData: keepPreviousData,
    staleTime: 10_000,
  })
  const suggested = (isOpening ? (query.data?.items ?? []) : [])
    .filter(({ name }) => !taken.includes(name))
    .filter(({ name }) => !query.isPlaceholderData || name.toLowerCase().includes(wanted.toLowerCase()))
    .slice(0, SHOWN)
  const add = (typed: string) => {
    const tags = splitTags(typed).filter((tag) => !taken.includes(tag))
    if (tags.length > 0) onAdd(tags)
    setText('')
  }
  const type = (typed: string) => {
    if (/[,，、;；\n]/.test(typed)) add(typed)
    else setText(typed)
  }
  /** Enter takes the suggestion that the arrow keys have reached, or else what is typed. */
  const press = (event: KeyboardEvent) => {
    const isReached = event.target instanceof Element && event.target.hasAttribute('aria-activedescendant')
    if (event.key === 'Enter' && !isReached && !event.nativeEvent.isComposing) {
      event.preventDefault()
      event.stopPropagation()
      add(text)
    }
    if (event.key === 'Escape' && text === '') onClose?.()
  }
  return (
    <AriaProvider>
      <div onKeyDownCapture={press}>
        <ComboBox
          aria-label={label}
          inputValue={text}
          onInputChange={type}
          selectedKey={null}
          onSelectionChange={(key) => key !== null && add(suggested.find(({ id }) => id === key)?.name ?? '')}
          items={suggested}
          allowsCustomValue
          menuTrigger={opensAtOnce ? 'focus' : 'input'}
          className="flex flex-col"
        >
          <Input
            dir="auto"
            autoFocus
            autoComplete="off"
            placeholder={t('fieldExample')}
            className={`${inputClass} text-sm`}
          />
          <Popover className="w-(--trigger-width) overflow-y-auto rounded-md border border-line bg-raised p-1 shadow-raised">
            <ListBox<(typeof suggested)[number]> className="max-h-72 outline-none">
              {(tag) => (
                <ListBoxItem
                  id={tag.id}
                  textValue={tag.name}
                  className="flex h-9 cursor-pointer items-center justify-between gap-3 rounded-md px-2.5 text-sm outline-none focus:bg-hover"
                >
                  <span dir="auto" className="truncate">
                    {tag.name}
                  </span>
                  <span className="figures text-ink-soft">{countText(tag, format)}</span>
                </ListBoxItem>
              )}
            </ListBox>
          </Popover>
        </ComboBox>
      </div>
    </AriaProvider>
  )
}
