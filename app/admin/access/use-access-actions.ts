'use client'

import { useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { type Outputs, useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'
import { toast } from '#app/ui/toast-queue.ts'

export type AccessList = Outputs['access']['list']
export type Range = AccessList['rules'][number]
export type Hotlink = AccessList['hotlink']
type RangeContent = Pick<Range, 'verdict' | 'note'>

/** Changes of who is let in, each with a way back to what was. */
export function useAccessActions() {
  const trpc = useTRPC()
  const client = useTRPCClient()
  const queryClient = useQueryClient()
  return useMemo(() => {
    const refresh = () => queryClient.invalidateQueries({ queryKey: trpc.access.list.queryKey() })

    /** Makes it so that `content` holds of a range, or nothing does; answers how the server spells the range. */
    async function putRange(written: string, content: RangeContent | null): Promise<string> {
      if (!content) {
        await client.access.removeRule.mutate({ cidr: written })
        await refresh()
        return written
      }
      const { verdict, note } = content
      const { cidr } = await client.access.setRule.mutate({ cidr: written, verdict, ...(note && { note }) })
      await refresh()
      return cidr
    }

    function undoRange(cidr: string, before: RangeContent | null): void {
      putRange(cidr, before).then(
        () => toast({ title: `${cidr} is as it was.` }),
        (error) => reportFailure(`${cidr} was not put back.`, error, () => undoRange(cidr, before)),
      )
    }

    /** Throws what the server answers when the range may not be changed so. `known` are the ranges before. */
    async function saveRange(written: string, content: RangeContent, known: readonly Range[]): Promise<void> {
      const cidr = await putRange(written, content)
      const before = known.find((range) => range.cidr === cidr) ?? null
      const title = content.verdict === 'deny' ? `${cidr} is shut out.` : `${cidr} is let in.`
      toast({ title, action: { label: 'Undo', run: () => undoRange(cidr, before) } })
    }

    function removeRange({ cidr, ...before }: Range): void {
      putRange(cidr, null).then(
        () => toast({ title: `${cidr} is removed.`, action: { label: 'Undo', run: () => undoRange(cidr, before) } }),
        (error) => reportFailure(`${cidr} was not removed.`, error),
      )
    }

    async function putHotlink(rule: Hotlink): Promise<void> {
      await client.access.setHotlink.mutate({ ...rule, sites: [...rule.sites] })
      await refresh()
    }

    function undoHotlink(before: Hotlink): void {
      putHotlink(before).then(
        () => toast({ title: 'The rule for other sites is as it was.' }),
        (error) => reportFailure('The rule for other sites was not put back.', error, () => undoHotlink(before)),
      )
    }

    /** Throws what the server answers when the rule cannot hold. */
    async function saveHotlink(rule: Hotlink, before: Hotlink): Promise<void> {
      await putHotlink(rule)
      const title = rule.isOn ? 'Images are shown on the named sites alone.' : 'Images are shown on every site.'
      toast({ title, action: { label: 'Undo', run: () => undoHotlink(before) } })
    }

    return { saveRange, removeRange, saveHotlink }
  }, [client, queryClient, trpc])
}
