import type { UploadAnswer } from '#server/images/upload-image.ts'
import type { Io } from './command.ts'
import type { Connection } from './connection.ts'
import type { Found } from './find-files.ts'
import { inOrder } from './in-order.ts'
import { Journal } from './journal.ts'
import type { Progress } from './progress.ts'
import { type Reported, reportOne } from './report.ts'
import { type Outcome, type Shipment, sendFiles } from './send-files.ts'
import { stateFolder } from './settings.ts'

export interface Delivery {
  readonly connection: Connection
  readonly progress: Progress
  readonly parallel: number
  readonly asJson: boolean
  /** What else belongs to a file, done before it counts as stored. */
  finish?(shipment: Shipment, answer: UploadAnswer): Promise<void>
}

export interface Delivered {
  /** In the order in which they were found. */
  readonly reported: readonly Reported[]
  /** What ended it before its time; null where nothing did. */
  readonly ended: unknown
}

/** Sends what was found, and tells of each as soon as all before it are told of. */
export async function deliver(io: Io, found: readonly Found[], { asJson, ...delivery }: Delivery): Promise<Delivered> {
  const { progress, connection } = delivery
  const journal = await Journal.open(stateFolder(io.env), connection)
  const reported = found.map(undelivered)
  const tell = inOrder((each: Reported) => reportOne(progress, each, asJson))
  const places = found.flatMap((each, place) => (each.kind === 'file' ? [{ ...each, place }] : []))
  const settle = (place: number, outcome: Outcome) => {
    const { label = '' } = reported[place] ?? {}
    const each = { label, outcome }
    reported[place] = each
    tell(place, each)
  }
  for (const [place, { outcome }] of reported.entries()) if (outcome.state === 'failed') settle(place, outcome)
  const shipments = places.map(({ shipment }) => shipment)
  const onOutcome = (index: number, outcome: Outcome) => settle(places[index]?.place ?? -1, outcome)
  const { ended } = await sendFiles(shipments, { ...delivery, journal, onOutcome })
  return { reported, ended }
}

function undelivered(found: Found): Reported {
  if (found.kind === 'problem') return { label: found.label, outcome: { state: 'failed', reason: found.reason } }
  return { label: found.shipment.label, outcome: { state: 'left' } }
}
