import { setFlagsFromString } from 'node:v8'

/** Has V8 make among its young objects all that a call makes, for that is dropped with the call. By what survives the first
 *  collections, of a heap that is still small, V8 would take such kinds for lasting ones and make them among the old: those
 *  keep alive whatever they name, until the whole heap is collected, and calls cost up to twice as much. */
export function keepGarbageYoung(): void {
  setFlagsFromString('--no-allocation-site-pretenuring')
}
