import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'vite'

/** Attributes, properties and variables that people read or hear: any text in them belongs to the catalogue. */
const READ =
  /^(label|title|placeholder|alt|description|message|hint|aria-(label|description|roledescription|valuetext))$/
/** The same in server/, whose errors and answers pages show; what only programs and tests read has other names. */
const ANSWERED = /^(words|note|reason|done|refused|failed|problem)$/
/** Checks of zod whose last argument is the message. */
const CHECK = /^(refine|regex|check|min|max|length|custom|literal|string|url|email)$/
/** Rules in code, settings, start and backups: only those who write code or run the server read their messages. */
const FOR_OPERATORS =
  /^server\/(limits|storage|database|owner\/(backup|doctor))\/|^server\/(byte-size|setting-text|check-data|config|main|network-settings|serve|store-urls|processes\/process-count|site\/(settings|footer-links|mail-server|text))\.ts$/
/** A word that joins two values: the order is another one in other languages. */
const JOINT = /^\s(and|at|by|for|from|in|of|or|per|to|until|with)\s$/
/** How a sentence begins; SQL, headers and log lines begin otherwise. */
const BEGINNING = /^(The|A|An|This|These|There|It|Its|You|Your|Only|No|Nothing|Each|Every|All) \p{Ll}/u
/** Words that do not occur in class names, selectors or formats. */
const FUNCTION_WORD =
  /(^|\s)(the|a|an|of|is|are|to|and|or|not|no|for|by|with|this|it|its|your|you|has|was|be|can|cannot)(\s|[.,:?!]|$)/i

interface Range {
  readonly start: number
  readonly end: number
}

/**
 * Returns the texts for people in a file's own code: all in app/ and cli/, and the messages of errors in server/. Logs,
 * and what the server prints before it starts, are in English only and stay in the code.
 */
export function sentencesIn(path: string, code: string): readonly string[] {
  if (FOR_OPERATORS.test(path)) return []
  const isServer = path.startsWith('server/')
  const exempt: Range[] = []
  const read: Range[] = []
  const texts: (Range & { readonly text: string; readonly isShown: boolean })[] = []
  const add = ({ start, end }: Range, text: string, isShown = false) =>
    texts.push({ start, end, text: text.trim().replaceAll(/\s+/g, ' '), isShown })
  new Visitor({
    ImportDeclaration: ({ start, end }) => exempt.push({ start, end }),
    // An Error is thrown for a bug, and its text appears only in the log.
    NewExpression: ({ callee, start, end }) => {
      if (callee.type !== 'Identifier') return
      if (callee.name === 'TRPCError') read.push({ start, end })
      else if (isServer || callee.name === 'Error' || callee.name === 'DOMException') exempt.push({ start, end })
    },
    JSXAttribute: ({ name, start, end }) => {
      if (name.type !== 'JSXIdentifier') return
      if (/class/i.test(name.name)) exempt.push({ start, end })
      else if (READ.test(name.name)) read.push({ start, end })
    },
    Property: ({ key, value: { start, end } }) => {
      if (key.type !== 'Identifier') return
      if (READ.test(key.name) || (isServer && ANSWERED.test(key.name))) read.push({ start, end })
    },
    VariableDeclarator: ({ id, init }) => {
      const isWritten =
        init?.type === 'ConditionalExpression' || init?.type === 'Literal' || init?.type === 'TemplateLiteral'
      if (isWritten && id.type === 'Identifier' && READ.test(id.name)) read.push({ start: init.start, end: init.end })
    },
    // The key of a message is not text.
    CallExpression: ({ callee, arguments: [first, ...rest] }) => {
      const called = callee.type === 'MemberExpression' ? callee.object : callee
      const isTranslation =
        called.type === 'Identifier' && /^(t([A-Z]\w*)?|translate|invalid|refuse)$/.test(called.name)
      if (isTranslation && first) exempt.push({ start: first.start, end: first.end })
      const message = rest.at(-1) ?? first
      const isCheck =
        callee.type === 'MemberExpression' && callee.property.type === 'Identifier' && CHECK.test(callee.property.name)
      if (isServer && isCheck && message) read.push({ start: message.start, end: message.end })
    },
    JSXText: (node) => add(node, node.value, true),
    Literal: (node) => typeof node.value === 'string' && add(node, node.value),
    TemplateElement: (node) => add(node, node.value.cooked ?? '', JOINT.test(node.value.cooked ?? '')),
  }).visit(parseSync(path, code).program)
  // The product's name is the same in every language.
  return texts
    .filter((each) => !exempt.some((range) => contains(range, each)))
    .filter((each) => {
      const isRead = each.isShown || read.some((range) => contains(range, each))
      if (isServer) return isRead ? isSentence(each.text) : BEGINNING.test(each.text)
      return isText(each.text, isRead)
    })
    .filter(({ text }) => !/^(%s )?(· )?Sluice$/.test(text))
    .map(({ start, text }) => `${path}:${code.slice(0, start).split('\n').length}: ${text}`)
}

/** In a place that people read, a single word counts; elsewhere only a sentence. */
const isText = (text: string, isShown: boolean): boolean => (isShown ? /\p{L}{2}/u.test(text) : isSentence(text))

const isSentence = (text: string): boolean =>
  /\p{L}.*\s\S*\p{L}/su.test(text) && (FUNCTION_WORD.test(text) || /^\p{Lu}\p{Ll}+[\s,].*[.?!…]$/su.test(text))

const contains = (outer: Range, inner: Range): boolean => outer.start <= inner.start && inner.end <= outer.end

if (import.meta.main) {
  const paths = globSync('{app,cli,server}/**/*.{ts,tsx}').filter((path) => !/\.(test|d)\.tsx?$/.test(path))
  const found = paths.flatMap((path) => sentencesIn(path, readFileSync(path, 'utf8')))
  for (const finding of found) console.error(`${finding}\n  belongs to messages/ (CONTRIBUTING, "Adding a sentence")`)
  console.log(`sentences: ${paths.length} files, ${found.length} outside the catalogue`)
  process.exitCode = found.length > 0 || paths.length === 0 ? 1 : 0
}
