import { BucketLedger } from './bucket-ledger.ts'

/** The leaky bucket of ITU-T I.371, which as a meter is its generic cell rate algorithm (GCRA): a level and an instant
 *  instead of a list of drops. As a meter it admits a charge while its permits fit in. As a queue it also gives each
 *  call a turn, one permit after another at the rate of the leak, as far away as its set lets calls wait. Turns are
 *  rounded up to the millisecond, so two may be that much closer than the rate says; where several rules pace, the
 *  latest turn is the call's, and each rule's own turns are even. */
export class LeakyBucket extends BucketLedger {
  constructor() {
    super('leaky-bucket')
  }
}
