/** Where a list was scrolled to, kept in its history entry: reloading and going back return there. */
export interface KeptPlace {
  /** The list: in another one it means nothing. */
  readonly list: string
  readonly month: string | null
  /** The image at the top, counted from the first of its month, and its distance from the top of the window in pixels. */
  readonly index: number
  readonly offset: number
}

const isKept = (value: unknown): value is KeptPlace =>
  typeof value === 'object' && value !== null && 'list' in value && 'index' in value

/** Returns the place that the current history entry keeps of a list. */
export function readPlace(list: string): KeptPlace | null {
  const place: unknown = window.history.state?.place
  return isKept(place) && place.list === list ? place : null
}

/** Returns the month that the address names, for example `?at=2026-03`. */
export const monthInAddress = (): string | null => new URL(window.location.href).searchParams.get('at')

/** Keeps a place in the current history entry, and its month in the address; null at the beginning of the list. */
export function writePlace(place: KeptPlace | null): void {
  const url = new URL(window.location.href)
  if (place?.month) url.searchParams.set('at', place.month)
  else url.searchParams.delete('at')
  // With what the router keeps there, so that it does not render the page again.
  window.history.replaceState({ ...window.history.state, place }, '', url)
}
