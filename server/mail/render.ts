import { accentShades } from '#format/accent.ts'
import type { Locale } from '#format/locale.ts'

/** What a mail says. */
export interface Content {
  readonly title: string
  readonly paragraphs: readonly string[]
  /** Names and values. */
  readonly facts?: readonly (readonly [name: string, value: string])[]
  readonly link?: { readonly label: string; readonly url: string }
  /** Below the link. */
  readonly after?: readonly string[]
  /** Why its reader gets it. */
  readonly why: string
}

interface Look {
  readonly locale: Locale
  readonly siteName: string
  /** `#rrggbb`; null for Sluice's own. */
  readonly accent: string | null
}

const SLUICES_OWN = '#0f6b7c'

/** Returns the mail as plain text. */
export function renderText(
  { title, paragraphs, facts = [], link, after = [], why }: Content,
  siteName: string,
): string {
  const lines = facts.map(([name, value]) => `${name}: ${value}`).join('\n')
  const parts = [
    title,
    ...paragraphs,
    lines,
    link ? `${link.label}:\n${link.url}` : '',
    ...after,
    `-- \n${siteName}\n${why}`,
  ]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

/** Returns the mail as HTML that loads nothing: no picture, no font, nothing that could tell when it is read. */
export function renderHtml({ title, paragraphs, facts = [], link, after = [], why }: Content, look: Look): string {
  const { accent, onAccent } = accentShades(look.accent ?? SLUICES_OWN)
  const rows = facts
    .map(([name, value]) => `<tr><th>${escapeHtml(name)}</th><td>${escapeHtml(value)}</td></tr>`)
    .join('')
  const url = link && escapeHtml(link.url)
  return `<!doctype html>
<html lang="${look.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title)}</title>
<style>
body { margin: 0; background: #fff; color: #14212a; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", sans-serif; }
main { max-width: 32rem; margin: 0 auto; padding: 32px 20px; overflow-wrap: anywhere; }
.site { margin: 0; font-weight: 600; color: #51626c; }
h1 { margin: 6px 0 20px; font-size: 24px; line-height: 1.25; }
th { padding: 2px 16px 2px 0; text-align: left; font-weight: 400; color: #51626c; white-space: nowrap; vertical-align: top; }
td { padding: 2px 0; }
.button { display: inline-block; margin: 12px 0 4px; padding: 10px 18px; border-radius: 6px; font-weight: 600; text-decoration: none; background: ${accent.light}; color: ${onAccent.light}; }
.small { font-size: 14px; color: #51626c; }
footer { margin-top: 32px; padding-top: 12px; border-top: 1px solid #d5dcdc; font-size: 14px; color: #51626c; }
@media (prefers-color-scheme: dark) {
body { background: #12191d; color: #e4ebec; }
.site, th, .small, footer { color: #9fb0b7; }
.button { background: ${accent.dark}; color: ${onAccent.dark}; }
footer { border-color: #33414a; }
}
</style>
</head>
<body>
<main>
<p class="site">${escapeHtml(look.siteName)}</p>
<h1>${escapeHtml(title)}</h1>
${paragraphs.map(toParagraph).join('\n')}
${rows && `<table>${rows}</table>`}
${link ? `<p><a class="button" href="${url}">${escapeHtml(link.label)}</a></p>\n<p class="small">${url}</p>` : ''}
${after.map(toParagraph).join('\n')}
<footer>${escapeHtml(why)}</footer>
</main>
</body>
</html>
`
}

const toParagraph = (text: string): string => `<p>${escapeHtml(text)}</p>`

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (character) => ENTITIES[character] ?? '')
