/** A link of the footer while it is typed. */
export interface DraftLink {
  readonly label: string
  readonly url: string
}

export const MOST_LINKS = 8

/** Reads `Imprint https://… | Contact mailto:…`. What does not read so stays in the label, for its writer to mend. */
export const parseLinks = (text: string): readonly DraftLink[] =>
  text
    .split(/\s\|\s/)
    .filter((part) => part.trim() !== '')
    .map((part) => {
      const [, label, url] = /^(.*)\s(\S+)$/su.exec(part.trim()) ?? []
      return label === undefined || url === undefined ? { label: part.trim(), url: '' } : { label, url }
    })

/** Spells links as settings have them; a row with nothing in it is no link. Bars, which separate links, become another sign. */
export const spellLinks = (links: readonly DraftLink[]): string =>
  links
    .map(({ label, url }) => `${label.replaceAll('|', '¦').trim()} ${url.replaceAll(/\s/g, '').replaceAll('|', '%7C')}`)
    .filter((part) => part.trim() !== '')
    .join(' | ')
