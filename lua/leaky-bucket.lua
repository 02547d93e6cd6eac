-- Purpose: the leaky bucket: as a meter (maxDelay -1) each charge pours its permits in, and passes while they fit; as a
--   queue each call also has its turn, when all that was poured in before has leaked, so that calls leave evenly.
-- KEYS: none of its own; driver.lua hands bucket.lua one charge: key, cost, rules.
-- ARGV, of each rule: limit (capacity in permits), leak (units a millisecond), scale (units a permit), maxDelayMs.
-- RETURNS: { read, ask, stand, take, refund }, all but `read` as bucket.lua has them; with the delay until the call's turn.
-- Keys written: charge.key, as bucket.lua says.

local bucket = use('bucket')

local function read(number)
  return bucket.rule(number(), number(), number(), number())
end

return { read = read, ask = bucket.ask, stand = bucket.stand, take = bucket.take, refund = bucket.refund }
