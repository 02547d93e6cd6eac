export interface Snippet {
  readonly format: 'image' | 'markdown' | 'html' | 'bbcode'
  readonly text: string
}

interface Shared {
  readonly url: string
  readonly title: string
  readonly width: number
  readonly height: number
}

/** Returns the code that embeds an image, in several formats. The title is untrusted text and is escaped in each. */
export function makeSnippets({ url, title, width, height }: Shared): readonly Snippet[] {
  const line = title.replace(/\s+/g, ' ').trim()
  return [
    { format: 'image', text: url },
    { format: 'markdown', text: `![${line.replace(/[\\[\]*_`<>&!]/g, '\\$&')}](${url})` },
    {
      format: 'html',
      text: `<img src="${escapeHtml(url)}" alt="${escapeHtml(line)}" width="${width}" height="${height}">`,
    },
    { format: 'bbcode', text: `[img]${url}[/img]` },
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
