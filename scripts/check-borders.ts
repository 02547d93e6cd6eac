import { globSync, readFileSync } from 'node:fs'
import { posix } from 'node:path'
import { parseSync, Visitor } from 'vite'

/** One thing that a file may not import. Targets are paths in the repository, or `package:<name>`. */
interface Border {
  readonly why: string
  readonly from: RegExp
  readonly to: RegExp
  readonly typesAllowed?: boolean
  /** The names that may not be imported; any where none are given. */
  readonly names?: readonly string[]
}

interface Import {
  readonly specifier: string
  readonly typeOnly: boolean
  /** What is taken of the module, by its own names; '*' is all of it. */
  readonly names: readonly string[]
}

// Tests may reach what they test by its front door; what ships may not.
const shipped = /(?<!\.test)\.tsx?$/.source

const borders: readonly Border[] = [
  { why: 'server/ never imports app/', from: /^server\//, to: /^app\// },
  {
    why: 'server/limits imports no other area: it could be published as it is',
    from: /^server\/limits\//,
    to: /^(?!package:|server\/limits\/|lua\/|testing\/)/,
  },
  {
    why: 'server/storage imports no other area',
    from: /^server\/storage\//,
    to: /^server\/(?!storage\/|cannot-start\.ts$)/,
  },
  {
    why: 'the SDK of buckets is asked by the store of objects alone',
    from: /^(?!server\/storage\/s3\/)/,
    to: /^package:@(aws-sdk|smithy)\//,
  },
  {
    why: 'only server/storage/s3/bucket.ts makes a client of a bucket: there it is metered',
    from: /^(?!server\/storage\/s3\/bucket\.ts$)/,
    to: /^package:@aws-sdk\/client-s3$/,
    names: ['S3', 'S3Client'],
    typesAllowed: true,
  },
  {
    why: 'server/database imports no other area',
    from: /^server\/database\//,
    to: /^server\/(?!database\/|cannot-start\.ts$)/,
  },
  {
    why: 'an area never imports http/ or trpc/router.ts',
    from: new RegExp(
      `^server/(images|accounts|cleaning|storage|database|limits|limit-admin|budgets|access|jobs|webhooks|owner)/.*${shipped}`,
    ),
    to: /^server\/(http\/|trpc\/router(\.|$))/,
  },
  {
    why: 'app/ takes only types from the server, and values from server/current-app.ts alone',
    from: /^app\//,
    to: /^(server\/(?!current-app\.ts$)|generated\/)/,
    typesAllowed: true,
  },
  {
    why: 'server/current-app.ts imports nothing but types: no server code is bundled into Next',
    from: /^server\/current-app\.ts$/,
    to: /./,
    typesAllowed: true,
  },
  {
    why: 'cli/ speaks to a server as any program does: it takes types of it and how files are named; cli/owner/ opens what is kept',
    from: new RegExp(`^cli/(?!owner/).*${shipped}`),
    to: /^(server\/(?!images\/names\.ts$)|generated\/)/,
    typesAllowed: true,
  },
  { why: 'the server, its pages and its tests stand without the command', from: /^(server|app)\//, to: /^cli\// },
  {
    why: 'what ships never imports test helpers',
    from: new RegExp(`^(server|app|cli)/.*${shipped}`),
    to: /^(testing|e2e)\//,
  },
]

/** Every import of a module, static, dynamic or of a type, whose name is written out. */
function importsOf(path: string, code: string): { imports: Import[]; takesEnvApart: boolean } {
  const imports: Import[] = []
  let takesEnvApart = false
  const parsed = parseSync(path, code)
  const [error] = parsed.errors
  if (error) throw new Error(`${path} could not be parsed: ${error.message}`)
  new Visitor({
    ImportDeclaration: ({ source, importKind, specifiers }) => {
      const names = specifiers.map((each) => (each.type === 'ImportSpecifier' ? nameOf(each.imported) : '*'))
      imports.push({ specifier: source.value, typeOnly: importKind === 'type', names })
    },
    ExportNamedDeclaration: ({ source, exportKind, specifiers }) => {
      if (!source) return
      const names = specifiers.map(({ local }) => nameOf(local))
      imports.push({ specifier: source.value, typeOnly: exportKind === 'type', names })
    },
    ExportAllDeclaration: ({ source, exportKind }) => {
      imports.push({ specifier: source.value, typeOnly: exportKind === 'type', names: ['*'] })
    },
    TSImportType: ({ source }) => {
      imports.push({ specifier: source.value, typeOnly: true, names: ['*'] })
    },
    ImportExpression: ({ source }) => {
      const template = source.type === 'TemplateLiteral' ? source.quasis[0]?.value.cooked : undefined
      const specifier = source.type === 'Literal' ? source.value : template
      if (typeof specifier === 'string') imports.push({ specifier, typeOnly: false, names: ['*'] })
    },
    VariableDeclarator: ({ id, init }) => {
      if (id.type !== 'ObjectPattern' || init?.type !== 'Identifier' || init.name !== 'process') return
      takesEnvApart ||= id.properties.some(
        (property) => property.type === 'Property' && property.key.type === 'Identifier' && property.key.name === 'env',
      )
    },
  }).visit(parsed.program)
  return { imports, takesEnvApart }
}

const nameOf = (name: { readonly name: string } | { readonly value: string }): string =>
  'value' in name ? name.value : name.name

/** Where an import leads, however it is written: `#server/x.ts` and `../../server/x.ts` are the same file. */
function targetOf(path: string, specifier: string): string {
  if (specifier.startsWith('#')) return posix.normalize(specifier.slice(1))
  if (specifier.startsWith('.')) return posix.join(posix.dirname(path), specifier)
  return `package:${specifier}`
}

/** The borders (docs/architecture.md) that a file crosses, each as a sentence; `path` is relative to the repository. */
export function crossedBorders(path: string, code: string): string[] {
  const { imports, takesEnvApart } = importsOf(path, code)
  const crossed = imports.flatMap(({ specifier, typeOnly, names }) =>
    borders
      .filter((border) => border.from.test(path) && border.to.test(targetOf(path, specifier)))
      .filter((border) => !(border.typesAllowed && typeOnly))
      .filter((border) => !border.names || names.some((name) => name === '*' || border.names?.includes(name)))
      .map((border) => `${path} imports ${specifier}: ${border.why}`),
  )
  // Biome's noProcessEnv sees process.env, but not `const { env } = process`.
  if (takesEnvApart && /^(server|app)\//.test(path) && path !== 'server/config.ts') {
    crossed.push(`${path} reads process.env: only server/config.ts does`)
  }
  return crossed
}

if (import.meta.main) {
  const paths = globSync('{server,app,cli,scripts,testing,e2e,bench}/**/*.{ts,tsx}')
  const crossed = paths.flatMap((path) => crossedBorders(path, readFileSync(path, 'utf8')))
  for (const sentence of crossed) console.error(sentence)
  console.log(`borders: ${paths.length} files, ${crossed.length} crossings`)
  process.exitCode = crossed.length > 0 || paths.length === 0 ? 1 : 0
}
