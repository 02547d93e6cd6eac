'use client'

import { useMemo } from 'react'
import type { ImageItem } from '#app/connection/trpc.ts'
import { plainStrip } from './timeline/strip.ts'
import { TileGrid, type TileGridProps } from './timeline/tile-grid.tsx'
import { useGrid } from './timeline/use-grid.ts'

/** Images in justified rows, in the order given. Only those near the window are in the page. */
export function Tiles({ items, ...props }: TileGridProps & { items: readonly ImageItem[] }) {
  const strip = useMemo(() => plainStrip(items), [items])
  return <TileGrid {...props} {...strip} grid={useGrid(strip.months)} />
}
