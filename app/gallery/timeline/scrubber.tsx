'use client'

import { ChevronsUpDown } from 'lucide-react'
import { useTranslations } from 'use-intl/react'
import { useFormat } from '#app/ui/use-format.ts'
import { listMarks } from './marks.ts'
import type { Grid } from './use-grid.ts'
import { toShift, useScrub } from './use-scrub.ts'

/** The months of a list that is longer than the window, on a track at the right in place of the page's scrollbar: dragged or
 *  pointed at, it jumps anywhere at once. */
export default function Scrubber({ grid }: { grid: Grid }) {
  const t = useTranslations('gallery')
  const format = useFormat()
  const { track, thumb, current, pointed, isDragged, isMoving, height, length, slider } = useScrub(grid)
  const blocks = grid.layout?.blocks ?? []
  const isOpen = isDragged || isMoving
  const month = current?.month ? format.month(current.month) : ''
  return (
    <div ref={track} className="pointer-events-none fixed top-52 right-0 bottom-20 z-10 w-12 select-none sm:bottom-8">
      <div
        role="slider"
        tabIndex={0}
        aria-label={t('timeline')}
        aria-orientation="vertical"
        aria-valuemin={0}
        aria-valuemax={Math.max(0, blocks.length - 1)}
        aria-valuenow={current?.at ?? 0}
        aria-valuetext={current ? t('monthOf', { month, count: current.ratios.length }) : undefined}
        {...slider}
        className="group absolute inset-y-0 right-0 w-full touch-none outline-none pointer-fine:pointer-events-auto pointer-fine:-inset-y-3 pointer-fine:cursor-pointer pointer-fine:py-3"
      >
        <div
          className={`relative h-full transition-opacity duration-200 motion-reduce:transition-none ${isOpen ? '' : 'pointer-coarse:opacity-0'}`}
        >
          {listMarks(blocks, height, length).map(({ month: id, at, year }) => (
            <span
              key={id}
              aria-hidden="true"
              style={{ top: `${100 * at}%` }}
              className={`figures absolute right-2.5 -translate-y-1/2 ${year ? `text-xs text-ink-soft ${isDragged ? '' : 'pointer-coarse:opacity-0'}` : 'mr-1.5 size-1 rounded-full bg-line-strong/60 pointer-coarse:opacity-0'}`}
            >
              {year}
            </span>
          ))}
          {/* Moved by transforms: neither they nor a label that is put in anew shift the layout. */}
          <div ref={thumb} className="absolute inset-0">
            <span
              aria-hidden="true"
              className="absolute top-0 right-0.5 h-7 w-1.5 -translate-y-1/2 rounded-full bg-water group-focus-visible:w-2.5 pointer-coarse:hidden"
            />
            <span
              aria-hidden="true"
              className="pointer-events-auto absolute top-0 right-0 hidden h-12 w-8 -translate-y-1/2 place-items-center rounded-l-full border border-r-0 border-line bg-raised text-ink-soft shadow-raised pointer-coarse:grid"
            >
              <ChevronsUpDown size={18} />
            </span>
            {!pointed && isOpen && current?.month && <MonthLabel key={current.month} month={current.month} />}
          </div>
          {pointed?.block.month && (
            <div className="absolute inset-0" style={{ transform: toShift(pointed.at) }}>
              <MonthLabel key={pointed.block.month} month={pointed.block.month} />
            </div>
          )}
        </div>
      </div>
    </div>
  )
}

function MonthLabel({ month }: { month: string }) {
  const format = useFormat()
  return (
    <span
      aria-hidden="true"
      className="figures pointer-events-none absolute top-0 right-12 -translate-y-1/2 rounded-md bg-steel px-2.5 py-1 text-sm font-medium whitespace-nowrap text-white shadow-raised"
    >
      {format.month(month)}
    </span>
  )
}
