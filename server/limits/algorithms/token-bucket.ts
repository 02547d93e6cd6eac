import { BucketLedger } from './bucket-ledger.ts'

/** A bucket that is full at first and gains tokens continuously; each charge takes its cost or is refused. In T ms it
 *  admits its burst and what T ms refill. The token bucket of RFC 2697 (a committed rate and burst) with cost in place
 *  of bytes; next of kin to the script `request_rate_limiter` of Spring Cloud Gateway, which refills by whole seconds. */
export class TokenBucket extends BucketLedger {
  constructor() {
    super('token-bucket')
  }
}
