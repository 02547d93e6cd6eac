-- Purpose: completes a charge that was asked and is not taken.
-- KEYS, ARGV: none of its own; it is passed a charge.
-- RETURNS: { stand, mend }. stand(charge) sets `remaining` and `reset` of its rules where `ask` has not. mend(charge)
--   limits the expiry of its key to charge.life, so that a key without expiry locks nobody out for ever.
-- Keys written: none; only the expiry of charge.key.

local call = redis.call

local function stand(charge)
  local own = charge.algorithm.stand
  if own then own(charge, now) end
end

local function mend(charge)
  local left = call('PTTL', charge.key)
  if left == -1 or left > charge.life then call('PEXPIRE', charge.key, charge.life) end
end

return { stand = stand, mend = mend }
