import { createHash } from 'node:crypto'
import { pathToFileURL } from 'node:url'
import compile from 'icu-minify/compile'

/** Compiles the messages of an area for pages, so that no page loads a parser of ICU messages (next.config). */
export default async function compileMessages(source) {
  const version = createHash('sha256').update(source).digest('hex')
  const address = `${pathToFileURL(this.resourcePath)}?${version}`
  const areas = await import(address)
  return Object.entries(areas)
    .map(([name, area]) => `export const ${name} = ${JSON.stringify(compiled(area))}\n`)
    .join('')
}

const compiled = (message) =>
  typeof message === 'string'
    ? compile(message)
    : Object.fromEntries(Object.entries(message).map(([key, each]) => [key, compiled(each)]))
