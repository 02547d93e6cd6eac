/** The web address that a drop or a paste holds in the place of files; null where it holds none, or one of this site. */
export function addressOf(transfer: Pick<DataTransfer, 'getData'>, origin: string): string | null {
  const [line = ''] = (transfer.getData('text/uri-list') || transfer.getData('text/plain')).trim().split(/\r?\n/, 1)
  if (!/^https?:\/\/\S+$/i.test(line) || !URL.canParse(line)) return null
  return new URL(line).origin === origin ? null : line
}
