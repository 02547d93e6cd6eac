/** A place that something is on its way to. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <span aria-hidden="true" className={`block animate-shimmer rounded-md bg-sunken ${className}`} />
}
