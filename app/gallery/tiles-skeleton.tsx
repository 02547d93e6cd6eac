import { growStyle, rowHeights } from './tile-shape.ts'

const shapes = [1.5, 0.75, 1.33, 1.5, 1, 1.78, 0.75, 1.5, 1.33, 0.8, 1.6, 1.5, 0.7, 1.33].map(
  (ratio, key) => [key, ratio] as const,
)

/** Placeholder rows while the list loads. */
export function TilesSkeleton() {
  return (
    <div aria-hidden="true" className={`flex flex-wrap gap-1.5 ${rowHeights}`}>
      {shapes.map(([key, ratio]) => (
        <span key={key} className="animate-shimmer rounded-[3px] bg-sunken" style={growStyle(ratio)} />
      ))}
    </div>
  )
}
