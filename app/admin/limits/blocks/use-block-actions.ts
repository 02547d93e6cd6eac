'use client'

import { useMutation } from '@tanstack/react-query'
import { useTranslations } from 'use-intl/react'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { changeWithUndo } from '../../change-with-undo.ts'
import { clearSlot, saveSlot } from '../changes/slot.ts'
import { useLimitsData, useOverrideSlot } from '../changes/use-slots.ts'
import type { BlockItem } from '../types.ts'

/** Whom a new block is for. */
export interface BlockOf {
  readonly kind: 'user' | 'address' | 'other'
  /** As in the limiter's keys. */
  readonly subject: string
  readonly name: string
  readonly note: string
}

/** Lifts blocks of every kind, each with an undo where what it was can be put back; and makes them. */
export function useBlockActions() {
  const t = useTranslations('adminBlocks')
  const tAdmin = useTranslations('admin')
  const { client, refresh } = useLimitsData()
  const liftOverride = useLiftOverride()
  const change = (
    run: () => Promise<unknown>,
    { done, undo }: { done: string; undo?: (() => Promise<unknown>) | undefined },
  ) => changeWithUndo(tAdmin, { refresh, run, done: () => done, undo })

  /** The title says whom or what it blocks. Resolves once it is lifted, or has failed and said so. */
  async function lift(block: BlockItem, name: string): Promise<void> {
    const { kind, id, note } = block
    const done = t('lifted', { name })
    const reason = note ? { note } : {}
    try {
      if (kind === 'override') return await liftOverride(block)
      if (kind === 'rule') return await change(() => client.limits.reset.mutate({ key: id }), { done })
      if (kind === 'ban') return await change(() => client.user.unban.mutate({ id }), { done })
      await change(() => client.access.removeRule.mutate({ cidr: id }), {
        done,
        undo: () => client.access.setRule.mutate({ cidr: id, verdict: 'deny', ...reason }),
      })
    } catch (error) {
      reportFailure(t('liftFailed', { name }), error, () => lift(block, name))
    }
  }

  /** Blocks an account or an address from everything. Rejects with the server's error. */
  function blockFromEverything({ kind, subject, name, note }: BlockOf): Promise<void> {
    const done = t('blocked', { name })
    if (kind === 'user') {
      return change(() => client.user.ban.mutate({ id: subject, ...(note && { reason: note }) }), { done })
    }
    const rule = { cidr: subject, verdict: 'deny', ...(note && { note }) } as const
    return change(() => client.access.setRule.mutate(rule), {
      done,
      undo: () => client.access.removeRule.mutate({ cidr: subject }),
    })
  }

  return { lift: useMutation({ mutationFn: ({ block, name }: Lifted) => lift(block, name) }), blockFromEverything }
}

interface Lifted {
  readonly block: BlockItem
  readonly name: string
}

/** Returns a function that takes the block out of its override, and clears an override that says nothing else. */
function useLiftOverride() {
  const slotOf = useOverrideSlot()
  const { refresh } = useLimitsData()
  return async ({ ruleSet, procedure, target, subject }: BlockItem): Promise<void> => {
    if (ruleSet === null || target === null) return
    const place = { ruleSet, target, subjectName: subject?.name ?? null, ...(procedure !== null && { procedure }) }
    const slot = slotOf(place)
    const shown = await slot.read()
    if (shown?.terms) {
      const { blockedUntil: _, ...terms } = shown.terms
      if (Object.keys(terms).length === 0) await clearSlot(slot, shown)
      else await saveSlot(slot, { terms, note: shown.note }, { shown, seen: true })
    }
    await refresh()
  }
}
