'use client'

import { hashKey, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { changeWithUndo } from '#app/admin/undoable.ts'
import { type Outputs, useTRPC, useTRPCClient } from '#app/connection/trpc.ts'
import { Overtaken } from '#app/limits/overtaken.ts'
import { reportFailure } from '#app/limits/report-failure.tsx'

export type AccessList = Outputs['access']['list']
export type Range = AccessList['rules'][number]
export type Hotlink = AccessList['hotlink']
type RangeContent = Pick<Range, 'verdict' | 'note'>

/** Changes of who is let in, each with a way back to what was. What is saved replaces nothing that another has changed since it
 *  was shown. */
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
        return written
      }
      const { verdict, note } = content
      const { cidr } = await client.access.setRule.mutate({ cidr: written, verdict, ...(note && { note }) })
      return cidr
    }

    const listNow = () => queryClient.fetchQuery({ ...trpc.access.list.queryOptions(), staleTime: 0 })

    /** Makes the change unless what is there now is not what was shown. */
    async function unlessOvertaken<T, R>(now: T, shown: T, words: string, change: () => Promise<R>): Promise<R> {
      if (hashKey([now]) === hashKey([shown])) return change()
      throw new Overtaken(`It was changed meanwhile: ${words}. Save again to replace that.`, now)
    }

    async function putUnlessOvertaken(written: string, content: RangeContent, shown: Range | null): Promise<string> {
      const { rules } = await listNow()
      const now = rules.find(({ cidr }) => cidr === written) ?? null
      return unlessOvertaken(now, shown, rangeWords(written, now), () => putRange(written, content))
    }

    const putHotlink = (rule: Hotlink) => client.access.setHotlink.mutate({ ...rule, sites: [...rule.sites] })

    return {
      /** Rejects with what the server answers when the range may not be changed so. `known` are the ranges before, and `shown`
       *  what was said of this one. */
      saveRange(written: string, content: RangeContent, known: readonly Range[], shown: Range | null) {
        return changeWithUndo(
          refresh,
          () => putUnlessOvertaken(written, content, shown),
          (cidr) => ({
            done: content.verdict === 'deny' ? `${cidr} is shut out.` : `${cidr} is let in.`,
            undone: `${cidr} is as it was.`,
            back: () => putRange(cidr, known.find((range) => range.cidr === cidr) ?? null),
          }),
        )
      },
      removeRange({ cidr, ...before }: Range): void {
        changeWithUndo(
          refresh,
          () => putRange(cidr, null),
          () => ({ done: `${cidr} is removed.`, undone: `${cidr} is as it was.`, back: () => putRange(cidr, before) }),
        ).catch((error) => reportFailure(`${cidr} was not removed.`, error))
      },
      /** Rejects with what the server answers when the rule cannot hold. */
      saveHotlink(rule: Hotlink, before: Hotlink) {
        return changeWithUndo(
          refresh,
          async () => {
            const { hotlink } = await listNow()
            return unlessOvertaken(hotlink, before, hotlinkWords(hotlink), () => putHotlink(rule))
          },
          () => ({
            done: rule.isOn ? 'Images are shown on the named sites alone.' : 'Images are shown on every site.',
            undone: 'The rule for other sites is as it was.',
            back: () => putHotlink(before),
          }),
        )
      },
    }
  }, [client, queryClient, trpc])
}

function rangeWords(cidr: string, range: Range | null): string {
  if (!range) return `nothing is said of ${cidr} any more`
  return `${range.changedBy} has ${range.verdict === 'deny' ? 'shut out' : 'let in'} ${cidr}`
}

const hotlinkWords = ({ isOn, sites }: Hotlink): string =>
  isOn ? `images are shown on ${sites.join(', ') || 'no other site'} alone` : 'images are shown on every site'
