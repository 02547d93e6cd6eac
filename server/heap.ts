import { setFlagsFromString } from 'node:v8'

/** Has V8 keep its heap as a server needs it. Beside it stands `--max-semi-space-size=16`, which must be said
 *  where Node is started (package.json): young objects, which came to have 114 MB under load, have 32 at most.
 *
 *  What a call makes is made among the young objects, for it is dropped with the call: by what survives the first
 *  collections, of a heap that is still small, V8 would take such kinds for lasting ones and make them among the old,
 *  where they keep alive whatever they name, and calls would cost up to twice as much. What gets old all the same is
 *  collected once there is half as much again as what lives; at more than two and a half times that it was not yet. */
export function tuneHeap(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
  setFlagsFromString('--heap-growing-percent=50')
}
