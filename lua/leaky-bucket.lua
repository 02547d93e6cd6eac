-- Purpose: the leaky bucket. As a meter (maxDelayMs -1) it admits a charge while its permits fit in. As a queue it also
--   gives each call a turn: when everything charged before it has leaked, so that calls leave evenly.
-- KEYS: none of its own; driver.lua passes bucket.lua a charge: key, cost, rules.
-- ARGV, of each rule: limit (capacity in permits), leak (units per millisecond), scale (units per permit), maxDelayMs.
-- RETURNS: { read, ask, stand, take, refund }: its own `read`, the others of bucket.lua. `delay` is the time until the
--   turn.
-- Keys written: charge.key, as bucket.lua says.

local bucket = use('bucket')

local function read(number)
  return bucket.rule(number(), number(), number(), number())
end

return { read = read, ask = bucket.ask, stand = bucket.stand, take = bucket.take, refund = bucket.refund }
