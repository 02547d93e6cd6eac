/** Returns the web address that was dropped or pasted instead of files; null if there is none, or if it is on this site. */
export function findDroppedAddress(transfer: Pick<DataTransfer, 'getData'>, origin: string): string | null {
  const [line = ''] = (transfer.getData('text/uri-list') || transfer.getData('text/plain')).trim().split(/\r?\n/, 1)
  if (!/^https?:\/\/\S+$/i.test(line) || !URL.canParse(line)) return null
  return new URL(line).origin === origin ? null : line
}
