import { z } from 'zod'

/** What a process says under a topic. */
export interface Told {
  readonly topic: string
  readonly message: string
}

interface Said {
  /** Names the process, unlike any other, and itself after a restart. */
  readonly from: string
  /** How often it has told something so far, this message included: who counted fewer has missed some. */
  readonly told: number
}

/** What travels between the processes: that one lives, with its snapshot; what it tells; that it goes. Null is what a
 *  process of another version says, and only that can understand. */
export type FleetMessage =
  | (Said & { readonly kind: 'here'; readonly snapshot: string | null })
  | (Said & { readonly kind: 'told'; readonly messages: readonly Told[] | null })
  | (Said & { readonly kind: 'gone' })

/** Of what is below. */
const VERSION = 1

/** What is longer is not read. */
const MAX_LENGTH = 1_000_000

/** What is longer goes in several. */
const BATCH_LENGTH = 100_000

/** What every version has: whoever is not understood lives all the same. */
const envelope = z.object({
  version: z.int().positive(),
  kind: z.enum(['here', 'told', 'gone']),
  from: z.string().min(1).max(64),
  told: z.int().nonnegative(),
})

const contents = z.object({
  snapshot: z.string().optional(),
  messages: z.array(z.object({ topic: z.string().max(64), message: z.string() })).optional(),
})

/** As it travels. A snapshot that is too long for that stays behind. */
export function encodeMessage(message: FleetMessage): string {
  const text = JSON.stringify({ version: VERSION, ...message })
  return text.length > MAX_LENGTH && message.kind === 'here' ? encodeMessage({ ...message, snapshot: null }) : text
}

/** Null for what no process of Sluice has sent. */
export function decodeMessage(text: string): FleetMessage | null {
  if (text.length > MAX_LENGTH) return null
  const value = parsed(text)
  const { data: said } = envelope.safeParse(value)
  if (!said) return null
  const { version, kind, from, told } = said
  const content = version === VERSION ? contents.safeParse(value).data : undefined
  switch (kind) {
    case 'here':
      return { kind, from, told, snapshot: content?.snapshot ?? null }
    case 'told':
      return { kind, from, told, messages: content?.messages ?? null }
    case 'gone':
      return { kind, from, told }
  }
}

/** The same messages in their order, as many together as travel in one. */
export function batched(messages: readonly Told[]): Told[][] {
  const batches: Told[][] = []
  let room = 0
  for (const one of messages) {
    const length = one.topic.length + one.message.length
    if (length > room) {
      batches.push([])
      room = BATCH_LENGTH
    }
    batches.at(-1)?.push(one)
    room -= length
  }
  return batches
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
