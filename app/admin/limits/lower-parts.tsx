'use client'

import { useAccount } from '#app/shell/session.tsx'
import { Blocks } from './blocks/blocks.tsx'
import { History } from './changes/history.tsx'
import { useConsole } from './console.tsx'
import { Explain } from './explain/explain.tsx'
import { FindRefusal } from './explain/find-refusal.tsx'

/** The parts far below, which are loaded when they come near. */
export default function LowerParts() {
  const { mayChange } = useConsole()
  return (
    <>
      {mayChange && <Blocks />}
      {!useAccount().shared && <Explain />}
      {mayChange && <FindRefusal />}
      {mayChange && <History />}
    </>
  )
}
