-- Purpose: the operations. A take asks every rule of every charge, and takes from all only when all pass; otherwise
--   from none. (Charges in shadow or degrade mode are taken by mode, rules in trial by set, and never make others
--   fail.)
-- KEYS, ARGV: none of its own; driver.lua passes it charges that it has read.
-- RETURNS: { perform, ask }. perform[type](charges) performs an operation. ask(charges) asks all rules and returns, for
--   each mode, whether its charges pass: false if not.
-- Keys written: those of the charges, as the files of their algorithms say; a reset deletes these and their block keys.

local refusals = use('refusals')
local call, stand, mend = redis.call, refusals.stand, refusals.mend

local ALL_PASS = { enforce = true, shadow = true, degrade = true }

local function ask(charges)
  local passes = ALL_PASS
  for i = 1, #charges do
    local charge = charges[i]
    local isPassing = charge.algorithm.ask(charge, now)
    if charge.isBlocking then
      stand(charge)
      isPassing = use('blocks').ask(charge, now) and isPassing
    end
    if not isPassing then
      if passes == ALL_PASS then passes = { enforce = true, shadow = true, degrade = true } end
      passes[charge.mode] = false
    end
  end
  return passes
end

local perform = {}

perform.peek = function(charges)
  ask(charges)
  for i = 1, #charges do
    if not charges[i].isBlocking then stand(charges[i]) end
  end
end

perform.take = function(charges)
  local passes = ask(charges)
  for i = 1, #charges do
    local charge = charges[i]
    if passes.enforce and passes[charge.mode] ~= false then
      charge.algorithm.take(charge, now)
    else
      if charge.isBlocking then use('blocks').refuse(charge, now) else stand(charge) end
      mend(charge)
    end
  end
end

perform.force = function(charges)
  for _, charge in ipairs(charges) do
    charge.algorithm.ask(charge, now)
    charge.algorithm.take(charge, now)
  end
end

perform.refund = function(charges)
  for _, charge in ipairs(charges) do charge.algorithm.refund(charge, now, charge.at) end
end

perform.reset = function(charges)
  for _, charge in ipairs(charges) do call('DEL', charge.key, charge.blockKey) end
end

return { perform = perform, ask = ask }
