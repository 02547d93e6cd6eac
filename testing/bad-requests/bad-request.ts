import type { Random } from '../random.ts'
import type { BadRequestScene, Role } from './scene.ts'

/** Bytes to be sent on a connection of their own. */
export interface BadRequest {
  readonly class: string
  readonly bytes: Buffer
  /** The methods of the requests that the bytes may be read as, in order: there are never more answers. */
  readonly methods: readonly string[]
  /** Whether the connection must end with them, because nobody can know where the next request begins. */
  readonly isLast?: boolean
  /** What the first answers must be: a pattern for the status and the Content-Range of each. */
  readonly expected?: readonly RegExp[]
  /** Who sends them. */
  readonly role: Role
  /** The answer may be a stream that has no end. */
  readonly mayStream?: boolean
}

export interface Drawing {
  readonly random: Random
  readonly scene: BadRequestScene
  /** An address of its own, so that no limit of addresses applies. */
  readonly address: string
}

export type Draw = (drawing: Drawing) => BadRequest

export interface Message {
  readonly line: string
  readonly headers?: readonly (readonly [string, string])[]
  readonly body?: Buffer | string
}

/** Writes a request. Header values are bytes: a line break in one is sent as it is. */
export function write({ line, headers = [], body = '' }: Message, { address }: Pick<Drawing, 'address'>): Buffer {
  const all = [['Host', 'x'], ['X-Forwarded-For', address], ...headers].map(([name, value]) => `${name}: ${value}`)
  return Buffer.concat([Buffer.from(`${line}\r\n${all.join('\r\n')}\r\n\r\n`, 'latin1'), Buffer.from(body)])
}

/** Text that parsers, databases and file systems have stumbled over. */
export function junk(random: Random): string {
  return random.pick<() => string>([
    () => '',
    () => ' ',
    () => '\0',
    () => '\t\v\f',
    () => '\r\nX-Injected: 1',
    () => '%0d%0aX-Injected:%201',
    () => "' OR 1=1 --",
    () => '../../../../etc/passwd',
    () => '%2e%2e%2f%2e%2e%5c',
    () => '\u{202e}gnp.\u{1f4a9}\ud800',
    () => '{"$ne":null}',
    () => '__proto__',
    () => 'constructor.prototype',
    () => '-1',
    () => '1e309',
    () => '9007199254740993',
    () => '"',
    () => '%',
    () => '%ff%fe',
    () => 'x'.repeat(random.below(5_000)),
    () => ','.repeat(random.below(2_000)),
    () => String.fromCharCode(...Array.from({ length: random.below(40) }, () => 1 + random.below(255))),
  ])()
}

/** Changes some bytes of a message, at any place. */
export function damage(bytes: Buffer, random: Random): Buffer {
  let damaged = Buffer.from(bytes)
  for (let times = 1 + random.below(4); times > 0; times -= 1) {
    const at = random.below(damaged.length)
    const [before, after] = [damaged.subarray(0, at), damaged.subarray(at)]
    damaged = random.pick([
      () => Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)]),
      () => Buffer.concat([before, after.subarray(random.below(20))]),
      () => Buffer.concat([before, Buffer.from(junk(random), 'latin1'), after]),
      () => Buffer.concat([before, Buffer.from(random.pick(['\r\n', '\n', '\r', '\r\n\r\n', ' ', ':', '\0'])), after]),
    ])()
  }
  return damaged
}
