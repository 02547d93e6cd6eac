import type { Lane } from '#server/turns/lanes.ts'
import { networkLane } from '#server/turns/network-lane.ts'
import type { Viewer } from './viewer.ts'

// Networks and accounts take turns, so that a flood from however many networks takes one turn in two from known accounts.

/** The lane of a caller who is not known, at an address as limits count it. */
export const guestLane = (address: string): Lane => ['networks', ...networkLane(address)]

/** The lane of an account, for a caller who has proven to know it. */
export const viewerLane = ({ userId, sessionId, token }: Viewer): Lane => [
  'accounts',
  userId,
  sessionId ?? token?.id ?? '',
]

/** The lane of a device that has signed in to the account before. */
export const deviceLane = (userId: string, deviceId: string): Lane => ['accounts', userId, deviceId]

/** The lane of the owner's commands and settings. */
export const OWNER_LANE: Lane = ['owner']
