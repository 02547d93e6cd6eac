export interface Snippet {
  readonly name: 'URL' | 'Markdown' | 'HTML' | 'BBCode'
  readonly text: string
}

interface Shared {
  readonly url: string
  readonly title: string
  readonly width: number
  readonly height: number
}

/** An image in the forms that other places take. The title is anybody's text: it cannot end what it stands in. */
export function snippetsOf({ url, title, width, height }: Shared): readonly Snippet[] {
  const line = title.replace(/\s+/g, ' ').trim()
  return [
    { name: 'URL', text: url },
    { name: 'Markdown', text: `![${line.replace(/[\\[\]*_`<>&!]/g, '\\$&')}](${url})` },
    {
      name: 'HTML',
      text: `<img src="${escapeHtml(url)}" alt="${escapeHtml(line)}" width="${width}" height="${height}">`,
    },
    { name: 'BBCode', text: `[img]${url}[/img]` },
  ]
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (character) => entities[character] ?? character)
