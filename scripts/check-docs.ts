import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { settings } from '#server/config.ts'
import { siteVariables } from '#server/site/settings.ts'

const readmes = ['README.md', 'README.zh-CN.md']
const documents = [...readmes, 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md']
const codeFile = /\w\.(ts|tsx|mjs|json|md|lua|prisma|sql|css)$/
// Folders that a clone does not have: the first install, build or start creates them.
const madeLater = /^(node_modules|generated|data|dist|\.next|test-results)(\/|$)/

/** Returns the repository paths that a document names, in backticks or as link targets, relative to the root. */
export function namedPaths(document: string, text: string, folders: readonly string[]): string[] {
  const prose = text.replace(/^(`{3,}|~{3,})[\s\S]*?^\1/gm, '')
  const quoted = [...prose.matchAll(/`([^`\s]+)`/g)].map((match) => (match[1] ?? '').replace(/^#(?=\w+\/)/, ''))
  const paths = quoted.filter((name) => {
    if (!/^[\w.*[\]@-]+(\/[\w.*[\]()@-]*)*$/.test(name) || madeLater.test(name)) return false
    const [first = '', ...rest] = name.split('/')
    return rest.length > 0 ? folders.includes(first) || codeFile.test(name) : codeFile.test(name) && !name.includes('*')
  })
  const targets = [...prose.matchAll(/\]\(([^)\s]+)[^)]*\)|\bsrc="([^"]+)"/g)].map(
    (match) => match[1] ?? match[2] ?? '',
  )
  const links = targets
    .filter((target) => !/^([a-z]+:|#)/.test(target))
    .map((target) => posix.join(posix.dirname(document), target.replace(/#.*$/, '')))
  return [...new Set([...paths, ...links])]
}

/** Returns one sentence for each setting that a document's tables lack, and for each that they list although it does not
 *  exist. */
export function settingsAmiss(document: string, text: string, known: readonly string[]): string[] {
  // Related settings share a row.
  const cells = [...text.matchAll(/^\|\s*(`[A-Z][^|]*)\|/gm)].map((match) => match[1] ?? '')
  const listed = cells.flatMap((cell) => [...cell.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map((match) => match[1] ?? ''))
  return [
    ...known.filter((name) => !listed.includes(name)).map((name) => `${document}: its tables lack the setting ${name}`),
    ...listed.filter((name) => !known.includes(name)).map((name) => `${document}: there is no setting ${name}`),
  ]
}

function existsInRepository(path: string): boolean {
  if (existsSync(path) || globSync(path).length > 0) return true
  // A name without a folder may refer to a file of every area, such as `router.ts`.
  return !path.includes('/') && globSync(`{server,app,scripts,testing,e2e,prisma}/**/${path}`).length > 0
}

function check(): string[] {
  const present = globSync(documents)
  const folders = readdirSync('.', { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  const missing = [...readmes, 'CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md', 'docs/settings.md'].filter(
    (path) => !existsSync(path),
  )
  const unknown = present.flatMap((document) =>
    namedPaths(document, readFileSync(document, 'utf8'), folders)
      .filter((path) => !existsInRepository(path))
      .map((path) => `${document}: there is no ${path}`),
  )
  const read = (path: string) => (existsSync(path) ? readFileSync(path, 'utf8') : '')
  const all = Object.keys(settings.shape)
  const ofServer = all.filter((name) => !Object.hasOwn(siteVariables, name))
  return [
    ...missing.map((path) => `${path} is missing`),
    ...unknown,
    ...settingsAmiss('docs/settings.md', read('docs/settings.md'), all),
    ...readmes.flatMap((name) => settingsAmiss(name, read(name), ofServer)),
  ]
}

if (import.meta.main) {
  const amiss = check()
  for (const sentence of amiss) console.error(sentence)
  console.log(`docs: ${amiss.length} errors`)
  process.exitCode = amiss.length > 0 ? 1 : 0
}
