'use client'

import { Meter } from 'react-aria-components'
import { formatBytes } from '#format/bytes.ts'

/** How much of one's space is taken; in the colour of a limit from nine tenths on. Bytes. */
export function StorageMeter({ used, quota }: { used: number; quota: number | null }) {
  if (quota === null) return <p className="figures">{formatBytes(used)} used, without a limit.</p>
  const percent = quota === 0 ? 100 : Math.min(100, (used / quota) * 100)
  const rest = used < quota ? `${formatBytes(quota - used)} free` : 'full'
  const text = `${formatBytes(used)} of ${formatBytes(quota)} used, ${rest}`
  return (
    <Meter aria-label="Storage" value={percent} valueLabel={text} className="flex flex-col gap-1.5">
      <span className="h-2 overflow-hidden rounded-full bg-line">
        <span
          className={`block h-full rounded-full ${used > 0 ? 'min-w-1' : ''} ${percent >= 90 ? 'bg-gate' : 'bg-water'}`}
          style={{ width: `${percent}%` }}
        />
      </span>
      <span className="figures text-sm">{text}</span>
    </Meter>
  )
}
