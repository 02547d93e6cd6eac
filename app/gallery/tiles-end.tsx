/** Ends a list of `justified` tiles (tile-shape.ts), which is not shown before. */
export function TilesEnd() {
  return <li hidden data-end="" />
}
