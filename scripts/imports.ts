import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

export interface Import {
  /** As written in the code. */
  readonly specifier: string
  /** A path in this repository, `package:<name>` or `node:<name>`. */
  readonly target: string
  readonly typeOnly: boolean
  /** The imported names, as the module exports them; '*' is everything. */
  readonly names: readonly string[]
}

/** Returns every import of a file with a literal module name: static, dynamic, of types and by re-export. Throws if the file does
 *  not parse. */
export function findImports(path: string, code: string): { imports: Import[]; destructuresEnv: boolean } {
  const imports: Import[] = []
  let destructuresEnv = false
  const add = (specifier: string, typeOnly: boolean, names: readonly string[]) => {
    imports.push({ specifier, target: resolve(path, specifier), typeOnly, names })
  }
  const parsed = parseSync(path, code)
  const [error] = parsed.errors
  if (error) throw new Error(`${path} could not be parsed: ${error.message}`)
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers }) => {
      const names = specifiers.map((each) => (each.type === 'ImportSpecifier' ? readName(each.imported) : '*'))
      add(source.value, importKind === 'type', names)
    },
    ExportNamedDeclaration: ({ source, exportKind, specifiers }) => {
      const names = specifiers.map(({ local }) => readName(local))
      if (source) add(source.value, exportKind === 'type', names)
    },
    ExportAllDeclaration: ({ source, exportKind }) => add(source.value, exportKind === 'type', ['*']),
    TSImportType: ({ source }) => add(source.value, true, ['*']),
    ImportExpression: ({ source }) => {
      const template = source.type === 'TemplateLiteral' ? source.quasis[0]?.value.cooked : undefined
      const specifier = source.type === 'Literal' ? source.value : template
      if (typeof specifier === 'string') add(specifier, false, ['*'])
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'ObjectPattern' || init?.type !== 'Identifier' || init.name !== 'process') return
      destructuresEnv ||= id.properties.some(
        (property) => property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'env',
      )
    },
  }).visit(parsed.program)
  return { imports, destructuresEnv }
}

const readName = (name: { readonly name: string } | { readonly value: string }): string =>
  'value' in name ? name.value : name.name

/** `#server/x.ts` and `../../server/x.ts` are the same file. */
function resolve(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return posix.normalize(specifier.slice(1))
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return specifier.startsWith('node:') ? specifier : `package:${specifier}`
}
