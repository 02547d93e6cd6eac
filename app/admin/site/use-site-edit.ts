'use client'

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { changeWithUndo } from '#app/admin/change-with-undo.ts'
import { useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { hasCode } from '#app/limits/message.ts'
import {
  changedSince,
  differing,
  invalidSettings,
  isUndoable,
  type SiteEdit,
  toChange,
  toUndo,
  withText,
} from './edit.ts'
import type { Setting, SiteView } from './types.ts'

/** How often the settings are reloaded: other superadmins may change them. */
const LIST_MS = 15_000

/** The settings, and the changes to them that are not saved yet. */
export function useSiteEdit() {
  const t = useTranslations('adminSite')
  const tAdmin = useTranslations('admin')
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  const router = useRouter()
  const query = useQuery(trpc.site.settings.queryOptions(undefined, { refetchInterval: LIST_MS }))
  const [edit, showEdit] = useState<SiteEdit | null>(null)
  /** The edit as the last event left it, which may not be shown yet. */
  const latest = useRef(edit)
  const setEdit = (next: SiteEdit | null) => {
    latest.current = next
    showEdit(next)
  }
  /** Who has changed what since the edit began. */
  const [conflict, setConflict] = useState<{ by: string | null; settings: readonly Setting[] } | null>(null)
  const refresh = async () => {
    await queryClient.invalidateQueries({ queryKey: trpc.site.settings.queryKey() })
    // The header, the title and the colours are the server's.
    router.refresh()
  }
  const update = (version: number, change: Record<string, string | null>) =>
    client.site.update.mutate({ version, change })

  const save = useMutation({
    mutationFn: async (saved: SiteEdit) => {
      await changeWithUndo<SiteView>(tAdmin, {
        refresh,
        run: () => update(saved.base.version, toChange(saved)),
        done: () => t('saved'),
        // A password that was there before is known to nobody.
        undo: isUndoable(saved) ? ({ version }) => update(version, toUndo(saved)) : undefined,
      })
    },
    onSuccess: (_, saved) => {
      const now = queryClient.getQueryData(trpc.site.settings.queryKey())
      const rest = now ? changedSince(saved, latest.current, now) : null
      discard()
      setEdit(rest)
    },
    onError: async (error, { base, texts }) => {
      if (!hasCode(error, 'CONFLICT')) return
      const now = await queryClient.fetchQuery({ ...trpc.site.settings.queryOptions(), staleTime: 0 })
      setConflict({ by: now.changedBy, settings: differing(base.texts, now.texts) })
      setEdit({ base: now, texts: latest.current?.texts ?? texts })
    },
  })
  const discard = () => {
    setEdit(null)
    setConflict(null)
    save.reset()
  }

  const isChanged = edit !== null
  useEffect(() => {
    if (!isChanged) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isChanged])

  const view = edit?.base ?? query.data
  return {
    query,
    view,
    edit,
    conflict,
    discard,
    isSaving: save.isPending,
    failure: conflict ? null : save.error,
    invalid: invalidSettings(save.error),
    save: () => latest.current && save.mutate(latest.current),
    change(setting: Setting, text: string) {
      if (view) setEdit(withText(latest.current ?? { base: view, texts: {} }, setting, text))
    },
  }
}
