-- Purpose: one decision. Asks every rule of every charge, and only when all pass takes from all; else from none.
--   Stands behind the fragments: `now` is what clock.lua returned, `algorithms` maps each algorithm to its functions.
-- KEYS: one for each charge, all different. Their hash tags may differ: this is for one Redis, not for a Cluster.
-- ARGV: for each key in turn: algorithm, cost, number of rules, then for each rule: limit, window in milliseconds.
-- RETURNS: for each rule of each charge, in order, three integers: permits remaining, milliseconds until the next
--   come back (0: all are there), milliseconds until the rule passes (0: it does). The call is allowed when all waits are 0.
-- Keys written: those of KEYS, as the fragments say. Each expires one longest window after its last charge; one that a
--   refusal finds without expiry, or with a longer one, is mended, so that nobody is locked out for ever.

local charges = {}
local allowed = true
local read = 1

for i, key in ipairs(KEYS) do
  local algorithm, cost, count = algorithms[ARGV[read]], tonumber(ARGV[read + 1]), tonumber(ARGV[read + 2])
  local rules, longest = {}, 0
  for r = 1, count do
    local rule = { limit = tonumber(ARGV[read + 1 + 2 * r]), window = tonumber(ARGV[read + 2 + 2 * r]) }
    rules[r] = rule
    if rule.window > longest then longest = rule.window end
  end
  read = read + 3 + 2 * count

  local charge = { key = key, cost = cost, rules = rules, longest = longest, algorithm = algorithm }
  charge.answers, charge.state = algorithm.ask(charge, now)
  charges[i] = charge
  for r = 1, count do
    if charge.answers[r].wait > 0 then allowed = false end
  end
end

local reply, length = {}, 0
for _, charge in ipairs(charges) do
  if allowed then
    charge.algorithm.take(charge, now)
    redis.call('PEXPIRE', charge.key, charge.longest)
  else
    local left = redis.call('PTTL', charge.key)
    if left == -1 or left > charge.longest then redis.call('PEXPIRE', charge.key, charge.longest) end
  end
  for _, answer in ipairs(charge.answers) do
    reply[length + 1], reply[length + 2], reply[length + 3] = answer.remaining, answer.reset, answer.wait
    length = length + 3
  end
end
return reply
