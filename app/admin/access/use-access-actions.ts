'use client'

import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useTranslations } from 'use-intl/react'
import { changeWithUndo } from '#app/admin/change-with-undo.ts'
import { type Outputs, useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { EditConflict } from '#app/limits/edit-conflict.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import type { Translate } from '#app/ui/translate.ts'
import { useFormat } from '#app/ui/use-format.ts'
import type { Formats } from '#format/formats.ts'

export type AccessList = Outputs['access']['list']
export type Range = AccessList['rules'][number]
export type Hotlink = AccessList['hotlink']
type RangeContent = Pick<Range, 'verdict' | 'note'>

/** Changes the access rules, each with undo. Saving rejects with an EditConflict if someone else has changed what was shown. */
export function useAccessActions() {
  const tFailures = useTranslations('failures')
  const tAdminAccess = useTranslations('adminAccess')
  const tAdmin = useTranslations('admin')
  const format = useFormat()
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.access.list.queryKey() })

    /** Sets the rule of a range, or removes it. Returns the range as the server spells it. */
    async function putRange(written: string, content: RangeContent | null): Promise<string> {
      if (!content) {
        await client.access.removeRule.mutate({ cidr: written })
        return written
      }
      const { verdict, note } = content
      const { cidr } = await client.access.setRule.mutate({ cidr: written, verdict, ...(note && { note }) })
      return cidr
    }

    const fetchList = () => queryClient.fetchQuery({ ...trpc.access.list.queryOptions(), staleTime: 0 })

    /** Throws an EditConflict if the current value differs from what was shown. */
    function requireSame<T>(now: T, shown: T, description: string): void {
      if (hashKey([now]) !== hashKey([shown])) throw new EditConflict(tFailures('changed', { now: description }), now)
    }

    async function replaceRange(written: string, content: RangeContent, shown: Range | null): Promise<string> {
      const { rules } = await fetchList()
      const now = rules.find(({ cidr }) => cidr === written) ?? null
      requireSame(now, shown, describeRange(tAdminAccess, written, now))
      return putRange(written, content)
    }

    const putHotlink = (rule: Hotlink) => client.access.setHotlink.mutate({ ...rule, sites: [...rule.sites] })

    async function replaceHotlink(rule: Hotlink, shown: Hotlink) {
      const { hotlink } = await fetchList()
      requireSame(hotlink, shown, describeHotlink(tAdminAccess, hotlink, format))
      return putHotlink(rule)
    }

    return {
      /** `known` are the ranges before the change; `shown` is the rule that the form showed. */
      saveRange(written: string, content: RangeContent, known: readonly Range[], shown: Range | null) {
        return changeWithUndo(tAdmin, {
          refresh,
          run: () => replaceRange(written, content, shown),
          done: (cidr) =>
            content.verdict === 'deny'
              ? tAdminAccess('rangeBlocked', { cidr })
              : tAdminAccess('rangeAllowed', { cidr }),
          undo: (cidr) => putRange(cidr, known.find((range) => range.cidr === cidr) ?? null),
        })
      },
      removeRange({ cidr, ...before }: Range): void {
        changeWithUndo(tAdmin, {
          refresh,
          run: () => putRange(cidr, null),
          done: () => tAdminAccess('rangeRemoved', { cidr }),
          undo: () => putRange(cidr, before),
        }).catch((error) => reportFailure(tAdminAccess('rangeNotRemoved', { cidr }), error))
      },
      saveHotlink(rule: Hotlink, before: Hotlink) {
        return changeWithUndo(tAdmin, {
          refresh,
          run: () => replaceHotlink(rule, before),
          done: () => (rule.isOn ? tAdminAccess('savedListed') : tAdminAccess('savedAll')),
          undo: () => putHotlink(before),
        })
      },
    }
  }, [client, format, queryClient, tAdmin, tAdminAccess, tFailures, trpc])
}

function describeRange(tAdminAccess: Translate<'adminAccess'>, cidr: string, range: Range | null): string {
  if (!range) return tAdminAccess('rangeWithoutRule', { cidr })
  const params = { cidr, username: range.changedBy }
  return range.verdict === 'deny' ? tAdminAccess('rangeBlockedBy', params) : tAdminAccess('rangeAllowedBy', params)
}

function describeHotlink(tAdminAccess: Translate<'adminAccess'>, { isOn, sites }: Hotlink, format: Formats): string {
  if (!isOn) return tAdminAccess('everySite')
  return sites.length > 0 ? tAdminAccess('onlySites', { sites: format.list(sites) }) : tAdminAccess('ownSiteOnly')
}
