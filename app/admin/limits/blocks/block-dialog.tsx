'use client'

import { useMutation } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { flushSync } from 'react-dom'
import { useTranslations } from 'use-intl/react'
import { FormFailure, useHeldBack } from '#app/limits/form-failure.tsx'
import { Button } from '#app/ui/button.tsx'
import { DialogActions } from '#app/ui/dialog.tsx'
import DialogBox from '#app/ui/dialog-box.tsx'
import { changeWithUndo } from '../../change-with-undo.ts'
import { saveSlot } from '../changes/slot.ts'
import { useLimitsData, useOverrideSlot } from '../changes/use-slots.ts'
import type { OpenDialog } from '../console.tsx'
import { namedSubject } from '../subjects/subject-text.ts'
import { BlockFields, type Draft, kindOf, lengths, type Target, targetIn } from './block-fields.tsx'

interface Props extends Omit<Extract<OpenDialog, { kind: 'block' }>, 'kind'> {
  onClose: () => void
}

/** Blocks somebody, or the value of an argument, from a rule set for a while; or somebody from everything until the block is lifted. */
export default function BlockDialog({ ruleSet = '', subject, value, onClose }: Props) {
  const t = useTranslations('adminBlocks')
  const [draft, setDraft] = useState<Draft>({
    ...{ kind: value === undefined ? 'subject' : 'argument', value: value ?? '' },
    ...{ subject: subject?.key ?? null, name: subject?.name ?? null, from: ruleSet, length: 'day', note: '' },
  })
  const [isChecked, setChecked] = useState(false)
  const blocking = useBlocking(onClose)
  const isHeldBack = useHeldBack(blocking.error)
  const target = targetIn(draft)
  const isPossible = draft.from !== '' || !target || kindOf(target) !== 'other'
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    flushSync(() => setChecked(true))
    event.currentTarget.querySelector<HTMLElement>('[aria-invalid=true]')?.focus()
    if (target && isPossible && !isHeldBack && !blocking.isPending) blocking.mutate({ ...draft, target })
  }
  return (
    <DialogBox title={t('blockTitle')} onClose={onClose}>
      <form onSubmit={submit} className="flex flex-col gap-4">
        <BlockFields draft={draft} onChange={(part) => setDraft({ ...draft, ...part })} isChecked={isChecked} />
        <FormFailure error={blocking.error} />
        <DialogActions>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button type="submit" tone="danger" isPending={blocking.isPending} isDisabled={isHeldBack || !isPossible}>
            {t('blockThis')}
          </Button>
        </DialogActions>
      </form>
    </DialogBox>
  )
}

function useBlocking(onDone: () => void) {
  const tLimits = useTranslations('adminLimits')
  const slotOf = useOverrideSlot()
  const blockFromEverything = useBlockFromEverything()
  return useMutation({
    mutationFn: async ({ target, name, from, length, note }: Draft & { target: Target }): Promise<void> => {
      const reason = note.trim()
      if (from === '' && target.kind === 'subject') {
        const named = namedSubject(tLimits, target.subject, name)
        return blockFromEverything(target, { name: named, note: reason })
      }
      const slot = slotOf({ ruleSet: from, target, subjectName: target.kind === 'subject' ? name : null })
      const shown = await slot.read()
      const terms = { ...shown?.terms, blockedUntil: new Date(Date.now() + lengths[length]).toISOString() }
      await saveSlot(slot, { terms, note: reason || (shown?.note ?? null) }, { shown, seen: true })
    },
    onSuccess: onDone,
  })
}

/** Returns a function that bans an account, or keeps an address from the site. It rejects with the server's error. */
function useBlockFromEverything() {
  const t = useTranslations('adminBlocks')
  const tAdmin = useTranslations('admin')
  const { client, refresh } = useLimitsData()
  return (target: Extract<Target, { kind: 'subject' }>, { name, note }: { name: string; note: string }) => {
    const { subject } = target
    const done = () => t('blocked', { name })
    if (kindOf(target) === 'user')
      return changeWithUndo(tAdmin, {
        ...{ refresh, done },
        run: () => client.user.ban.mutate({ id: subject, ...(note && { reason: note }) }),
      })
    return changeWithUndo(tAdmin, {
      ...{ refresh, done },
      run: () => client.access.setRule.mutate({ cidr: subject, verdict: 'deny', ...(note && { note }) }),
      undo: () => client.access.removeRule.mutate({ cidr: subject }),
    })
  }
}
