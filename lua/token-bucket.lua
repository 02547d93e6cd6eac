-- Purpose: the token bucket: full at first and refilled steadily. Each charge takes its tokens, or is refused.
-- KEYS: none of its own; driver.lua passes bucket.lua a charge: key, cost, rules.
-- ARGV, of each rule: limit (capacity in tokens), leak (units refilled per millisecond), scale (units per token).
-- RETURNS: { read, ask, stand, take, refund }: its own `read`, the others of bucket.lua, whose level is the missing
--   tokens.
-- Keys written: charge.key, as bucket.lua says.

local bucket = use('bucket')

local function read(number)
  return bucket.rule(number(), number(), number(), -1)
end

return { read = read, ask = bucket.ask, stand = bucket.stand, take = bucket.take, refund = bucket.refund }
