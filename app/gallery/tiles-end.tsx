/** Ends a list of `justified` tiles (tile-shape.ts), which is not laid out before. */
export function TilesEnd() {
  return <li hidden data-end="" />
}
