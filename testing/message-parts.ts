import compile from 'icu-minify/compile'

/** What an ICU message consists of. */
export interface MessageParts {
  /** Arguments by name: how each is written, and whether its value can be seen in what is read. */
  readonly args: Map<string, { kind: 'text' | 'number' | 'select'; isShown: boolean }>
  readonly tags: Set<string>
  /** The options of every plural, and of every select by its argument. */
  readonly plurals: Set<string>
  readonly selects: Map<string, Set<string>>
  /** The text between arguments and tags, in order. */
  readonly texts: string[]
}

/** Takes a message apart. Throws for one that does not compile. */
export function messageParts(message: string): MessageParts {
  const parts: MessageParts = { args: new Map(), tags: new Set(), plurals: new Set(), selects: new Map(), texts: [] }
  addList(compile(message), parts)
  return parts
}

/** A compiled message, or an option of one, is a text or a list of texts, signs of a plural (0) and parts in brackets. */
function addList(list: unknown, parts: MessageParts): void {
  for (const node of Array.isArray(list) ? list : [list]) {
    if (typeof node === 'string') parts.texts.push(node)
    else if (Array.isArray(node)) addPart(node, parts)
  }
}

function addPart([name, kind, options, ...rest]: readonly unknown[], parts: MessageParts): void {
  if (typeof name !== 'string') throw new TypeError(`a part without a name: ${JSON.stringify(name)}`)
  if (kind === undefined) addArg(name, 'text', true, parts)
  else if (kind === NUMBER) addArg(name, 'number', true, parts)
  else if (kind === SELECT || kind === PLURAL) {
    const choices = Object.entries(options ?? {})
    const isShown = kind === SELECT || choices.some(([key, each]) => key.startsWith('=') || isCounted(each))
    addArg(name, kind === SELECT ? 'select' : 'number', isShown, parts)
    const seen = kind === PLURAL ? parts.plurals : (parts.selects.get(name) ?? new Set())
    if (kind === SELECT) parts.selects.set(name, seen)
    for (const [key, each] of choices) {
      seen.add(key)
      addList(each, parts)
    }
  } else if (typeof kind === 'number') throw new TypeError(`${name}: a kind that no message has yet: ${kind}`)
  else {
    parts.tags.add(name)
    for (const child of [kind, options, ...rest]) if (child !== undefined) addList([child], parts)
  }
}

function addArg(name: string, kind: 'text' | 'number' | 'select', isShown: boolean, { args }: MessageParts): void {
  const known = args.get(name)
  args.set(name, { kind, isShown: isShown || known?.isShown === true })
}

const isCounted = (option: unknown): boolean => Array.isArray(option) && option.includes(0)

/** How icu-minify writes kinds of arguments. */
const SELECT = 1
const PLURAL = 2
const NUMBER = 4

/** Lists the texts of a catalogue or an area, with their keys. */
export const textsIn = (messages: object, prefix = ''): [key: string, text: string][] =>
  Object.entries(messages).flatMap(([name, each]): [string, string][] =>
    typeof each === 'object' ? textsIn(each, `${prefix}${name}.`) : [[`${prefix}${name}`, String(each)]],
  )
