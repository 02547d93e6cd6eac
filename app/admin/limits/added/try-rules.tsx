'use client'

import { useQuery } from '@tanstack/react-query'
import { FlaskConical } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useState } from 'react'
import { useTranslations } from 'use-intl/react'
import { useTRPC } from '#app/connection/trpc.ts'
import { Button } from '#app/ui/button.tsx'
import { overrideForAll, termsUnder } from '../overrides/in-force.ts'
import type { RuleSetItem } from '../types.ts'
import { trialDraft } from './added-draft.ts'

const AddedEditor = dynamic(() => import('./added-editor.tsx').then((module) => module.AddedEditor))

/** Puts other rules beside those of a set, in shadow mode: it shows what they would refuse. */
export function TryRules({ set }: { set: RuleSetItem }) {
  const t = useTranslations('adminAdded')
  const { data } = useQuery(useTRPC().limits.list.queryOptions(undefined, { staleTime: Number.POSITIVE_INFINITY }))
  const [isOpen, setOpen] = useState(false)
  const { rules } = termsUnder(set.declared, overrideForAll(set))
  return (
    <>
      <Button size="small" onPress={() => setOpen(true)}>
        <FlaskConical size={15} /> {t('tryRules')}
      </Button>
      {isOpen && data && (
        <AddedEditor
          procedures={data.procedures.filter(({ path }) => set.usedBy.includes(path))}
          known={null}
          begun={trialDraft(set, rules)}
          canDegrade={false}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
