/** A statement without comments, on one line. */
export type Statement = string

/** A migration with its declarations. */
export interface Script {
  readonly statements: readonly Statement[]
  /** `-- unread: "Table"."column"`: no version from this migration on reads or writes them. */
  readonly unread: readonly string[]
  /** `-- contracts: "Table"."column" unread since <migration>`: what is dropped, and the migration that declared it unread. */
  readonly contracts: ReadonlyMap<string, string>
  /** The migration that a version of Sluice must have to use the database from here on; null if unchanged. */
  readonly readableFrom: string | null
}

const READABLE_FROM =
  /^CREATE (?:OR REPLACE )?FUNCTION "readable_from"\(\) RETURNS TEXT LANGUAGE sql IMMUTABLE AS \$\$ SELECT '(\w+)' \$\$$/

/** Tokens: quoted text, function bodies, comments, ends of statements, and everything else. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\$(\w*)\$[\s\S]*?\$\1\$|--[^\n]*|\/\*[\s\S]*?\*\/|;|[^'"$\-/;]+|[\s\S]/g

export function parseScript(sql: string): Script {
  const statements: Statement[] = []
  const comments: string[] = []
  let statement = ''
  const end = () => {
    const line = statement.trim().replaceAll(/\s+/g, ' ')
    if (line !== '') statements.push(line)
    statement = ''
  }
  for (const [token] of sql.matchAll(TOKENS)) {
    if (token.startsWith('--')) comments.push(token)
    else if (token.startsWith('/*')) statement += ' '
    else if (token === ';') end()
    else statement += token
  }
  end()
  const contracts = comments.flatMap((comment) => {
    const [, target, since] = /^-- contracts: ("\w+"(?:\."\w+")?) unread since (\w+)$/.exec(comment) ?? []
    return target && since ? [[target, since] as const] : []
  })
  return {
    statements,
    unread: comments.flatMap((comment) => /^-- unread: ("\w+"(?:\."\w+")?)$/.exec(comment)?.[1] ?? []),
    contracts: new Map(contracts),
    readableFrom: statements.flatMap((each) => READABLE_FROM.exec(each)?.[1] ?? []).at(-1) ?? null,
  }
}
