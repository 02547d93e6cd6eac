-- Purpose: one decision. Asks every rule of every charge, and only when all pass takes from all; else from none.
--   Stands behind the fragments: `now` is what clock.lua returned, `algorithms` maps each algorithm to its functions.
-- KEYS: one for each charge, all different. Their hash tags may differ: this is for one Redis, not for a Cluster.
-- ARGV: for each key in turn: algorithm, cost, number of rules, then for each rule: limit, window in milliseconds.
-- RETURNS: for each rule of each charge, in order, three integers: permits remaining, milliseconds until the next
--   come back (0: all are there), milliseconds until the rule passes (0: it does). The call is allowed when all waits are 0.
-- Keys written: those of KEYS, as the fragments say, each with its expiry.

local charges = {}
local allowed = true
local read = 0

local function argument()
  read = read + 1
  return ARGV[read]
end

for i, key in ipairs(KEYS) do
  local algorithm = algorithms[argument()]
  local charge = { key = key, cost = tonumber(argument()), rules = {}, longest = 0 }
  for r = 1, tonumber(argument()) do
    local rule = { limit = tonumber(argument()), window = tonumber(argument()) }
    charge.rules[r] = rule
    charge.longest = math.max(charge.longest, rule.window)
  end
  algorithm.ask(charge, now)
  charge.take = algorithm.take
  charges[i] = charge
  for _, answer in ipairs(charge.answers) do
    if answer.wait > 0 then allowed = false end
  end
end

local reply = {}
for _, charge in ipairs(charges) do
  if allowed then charge.take(charge, now) end
  for _, answer in ipairs(charge.answers) do
    reply[#reply + 1] = answer.remaining
    reply[#reply + 1] = answer.reset
    reply[#reply + 1] = answer.wait
  end
end
return reply
