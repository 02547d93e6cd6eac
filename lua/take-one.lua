-- Purpose: the operation `take` for one charge none of whose rules blocks: what operations.lua does too, in less time, for
--   most operations are of this kind.
-- KEYS, ARGV: none of its own; driver.lua hands it the charge.
-- RETURNS: the operation, called with a list of one charge.
-- Keys written: charge.key, as its fragment says.

return function(charges)
  local charge = charges[1]
  local algorithm = charge.algorithm
  if algorithm.ask(charge, now) then
    algorithm.take(charge, now)
  else
    local refusals = use('refusals')
    refusals.stand(charge)
    refusals.mend(charge)
  end
end
