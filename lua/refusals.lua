-- Purpose: what becomes of a charge that was asked and is not taken.
-- KEYS, ARGV: none of its own; it is handed one charge.
-- RETURNS: { stand, mend }. stand(charge) has its rules say how they stand; mend(charge) sees to it that its key expires,
--   and no later than it may (charge.life), so that nobody is locked out for ever.
-- Keys written: none but the expiry of charge.key.

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
