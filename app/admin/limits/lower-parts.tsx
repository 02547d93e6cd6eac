'use client'

import { useAccount } from '#app/shell/session.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { Explain } from './explain/explain.tsx'
import { FindRefusal } from './explain/find-refusal.tsx'
import type { useQuestion } from './explain/use-question.ts'
import { History } from './history/history.tsx'
import type { LimitsList } from './types.ts'

interface Props {
  list: LimitsList
  question: ReturnType<typeof useQuestion>
}

/** The parts far below, which are loaded when they come near. */
export function LowerParts({ list, question }: Props) {
  const { role, shared } = useAccount()
  const mayChange = role === 'superadmin'
  return (
    <>
      {mayChange && <Blocks sets={list.ruleSets} />}
      {!shared && <Explain list={list} question={question} />}
      {mayChange && <FindRefusal />}
      {mayChange && <History ruleSets={list.ruleSets.map(({ name }) => name)} />}
    </>
  )
}
