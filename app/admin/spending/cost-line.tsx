import type { ReactNode } from 'react'

interface LineProps {
  picture?: ReactNode
  name: ReactNode
  amount: string
  trend?: ReactNode
  children: ReactNode
}

export function Line({ picture, name, amount, trend, children }: LineProps) {
  return (
    <li className="flex items-center gap-x-3 px-4 py-2 text-sm">
      {picture}
      <span className="min-w-0 flex-1">
        <span className="block font-medium break-words">{name}</span>
        <span className="figures block text-ink-soft">{children}</span>
      </span>
      <span className="flex flex-col items-end gap-1">
        <span className="figures font-medium">{amount}</span>
        {trend}
      </span>
    </li>
  )
}

/** The month as a row of small bars. */
export function Trend({ amounts }: { amounts: readonly number[] }) {
  const peak = Math.max(...amounts)
  if (!(peak > 0)) return null
  const path = amounts.map((amount, at) =>
    amount === 0 ? '' : `M${at * 3} 20v-${Math.max(1, (20 * amount) / peak)}h2V20z`,
  )
  return (
    <svg aria-hidden="true" viewBox={`0 0 ${amounts.length * 3} 20`} className="h-4 w-20">
      <path className="fill-water" d={path.join('')} />
    </svg>
  )
}
