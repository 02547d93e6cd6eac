import { BucketLedger } from './bucket-ledger.ts'

/** A bucket that leaks steadily. As a meter it lets a charge pass while its permits fit in; as a queue it also gives each
 *  call its turn, one permit after another at the rate of the leak, as far away as its set lets calls wait.
 *  The leaky bucket of ITU-T I.371, which as a meter is its generic cell rate algorithm (GCRA): a level and an instant
 *  instead of a list of drops. Turns are rounded up to the millisecond, so two may be that much closer than the rate says;
 *  where several rules pace, the latest turn is the call's, and each rule's own turns are even. */
export class LeakyBucket extends BucketLedger {
  constructor() {
    super('leaky-bucket')
  }
}
