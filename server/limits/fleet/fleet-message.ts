import { z } from 'zod'

/** A message that one process sends to all others under a topic. */
export interface TopicMessage {
  readonly topic: string
  readonly message: string
}

/** What processes publish: 'here' is a heartbeat with the sender's statistics, 'told' carries messages, 'gone' is sent
 *  on shutdown. The content is null when it comes from a process of another version. */
export type FleetMessage = {
  /** The id of the sending process; a restarted process has a new one. */
  readonly from: string
  /** How many 'told' messages the sender has sent so far, this one included. A process that received fewer has missed
   *  some. */
  readonly told: number
} & (
  | { readonly kind: 'here'; readonly snapshot: string | null }
  | { readonly kind: 'told'; readonly messages: readonly TopicMessage[] | null }
  | { readonly kind: 'gone' }
)

/** The version of `contents`. */
const VERSION = 1

/** Longer texts, in characters, are ignored. */
const MAX_LENGTH = 1_000_000

/** Topic messages longer than this in total, in characters, are sent as several texts. */
const BATCH_LENGTH = 100_000

/** The same in every version: a process counts as alive even if its content cannot be read. */
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

/** Encodes the text to publish. Leaves out a snapshot that would make it longer than MAX_LENGTH. */
export function encodeMessage(message: FleetMessage): string {
  const text = JSON.stringify({ version: VERSION, ...message })
  return text.length > MAX_LENGTH && message.kind === 'here' ? encodeMessage({ ...message, snapshot: null }) : text
}

/** Decodes a published text. Returns null when it is no message of a Sluice process. */
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

/** Groups the messages, in order, into batches that are published as one text each. */
export function batched(messages: readonly TopicMessage[]): TopicMessage[][] {
  const batches: TopicMessage[][] = []
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
