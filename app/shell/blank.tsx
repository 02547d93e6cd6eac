import type { ReactNode } from 'react'
import { WaitMeter } from '#app/limits/wait-meter.tsx'

/** A page that shows only why there is nothing to see, below a closed sluice. */
export function Blank({ title, text, children }: { title: string; text: ReactNode; children: ReactNode }) {
  return (
    <div className="flex min-h-[70vh] flex-col items-center justify-center gap-6 px-6 text-center">
      <WaitMeter progress={0} className="size-14 text-ink-soft" />
      <div className="flex max-w-md flex-col gap-2">
        <h1 className="text-2xl font-semibold tracking-[-0.02em]">{title}</h1>
        <div className="text-balance text-ink-soft">{text}</div>
      </div>
      <div className="flex flex-wrap justify-center gap-2">{children}</div>
    </div>
  )
}
