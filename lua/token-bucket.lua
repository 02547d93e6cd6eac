-- Purpose: the token bucket: full at first, refilled steadily; each charge takes its tokens, or is refused.
-- KEYS: none of its own; driver.lua hands bucket.lua one charge: key, cost, rules.
-- ARGV, of each rule: limit (capacity in tokens), leak (units refilled a millisecond), scale (units a token).
-- RETURNS: { read, ask, stand, take, refund }, all but `read` as bucket.lua has them: its level is what lacks of the tokens.
-- Keys written: charge.key, as bucket.lua says.

local bucket = use('bucket')

local function read(number)
  return bucket.rule(number(), number(), number(), -1)
end

return { read = read, ask = bucket.ask, stand = bucket.stand, take = bucket.take, refund = bucket.refund }
