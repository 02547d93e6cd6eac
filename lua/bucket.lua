-- Purpose: the one arithmetic of both buckets: a level that rises with each charge and leaks steadily. What a token bucket
--   lacks of its tokens is the level of a leaky bucket.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules. `packed` is what packed.lua returned.
-- ARGV: none of its own; the fragments that share it read rules: limit (capacity in permits), leak, scale, maxDelay.
-- RETURNS: { ask, take, refund } as driver.lua calls them; answers are (remaining, reset, wait, delay).
-- Keys written: charge.key, a string of doubles: the instant of the levels in milliseconds, the first instant whose charges
--   may be given back, and for each rule its level and scale. It expires when all levels are 0; a refund leaves that.
--
-- A level is counted in units, `scale` of which are a permit, so that `leak` of them, a whole number, go each millisecond:
-- nothing is rounded, and no remainder is ever lost. Twice the capacity stays below 2^53, and so all that is added,
-- subtracted and divided here is exact; a product of leak and elapsed time may be larger, but then exceeds any level.

local HALF = 2 ^ 17

-- What is under the key, nil for anything that is no history.
local function load(charge)
  return packed.load(charge.key, 2 + 2 * #charge.rules)
end

-- amount * factor / divisor, rounded up, where amount < divisor. Scales divide a window in milliseconds, so all are below
-- 2^35; their product is not below 2^53, and is made in two parts that are.
local function ratio(amount, factor, divisor)
  local high, low = math.floor(factor / HALF), factor % HALF
  local whole, rest = math.floor(amount * high / divisor), amount * high % divisor
  return whole * HALF + math.ceil((rest * HALF + amount * low) / divisor)
end

-- The most a bucket ever holds: what was forced beyond its capacity is a debt of one more bucketful at most.
local function brim(rule)
  return 2 * rule.limit * rule.scale
end

-- A level of another scale, for the limit was another, as units of the rule's: rounded up to a whole one. What exceeds the
-- brim may be rounded, but exceeds it still.
local function convert(level, scale, rule)
  if scale == rule.scale then return level end
  return math.floor(level / scale) * rule.scale + ratio(level % scale, rule.scale, scale)
end

-- A level that is no more than the brim. What runs over is forgotten, so what made it run over is not given back.
local function fill(state, rule, level)
  if level < brim(rule) then return level end
  state.since = state.time + 1
  return brim(rule)
end

-- What is stored, in the units of the rules that ask: the levels of the last charge, at its time.
local function stateOf(charge, stored)
  local state = { time = stored[1], since = stored[2], levels = {} }
  for i, rule in ipairs(charge.rules) do
    state.levels[i] = fill(state, rule, convert(stored[2 * i + 1], stored[2 * i + 2], rule))
  end
  return state
end

-- The state as it is now. Time that steps back counts as that of the last charge.
local function stateNow(charge, now)
  local stored = load(charge)
  local state = stored and stateOf(charge, stored) or { time = now, since = now, levels = {} }
  local time = math.max(now, state.time)
  for i, rule in ipairs(charge.rules) do
    state.levels[i] = math.max(0, (state.levels[i] or 0) - rule.leak * (time - state.time))
  end
  state.time = time
  return state
end

local function pack(charge, state)
  local numbers = { state.time, state.since }
  for i, rule in ipairs(charge.rules) do
    numbers[2 * i + 1], numbers[2 * i + 2] = state.levels[i], rule.scale
  end
  return numbers
end

local function lifeOf(charge, late)
  local longest = 0
  for _, rule in ipairs(charge.rules) do longest = math.max(longest, math.ceil(brim(rule) / rule.leak)) end
  return longest + late
end

-- How a rule stands, `late` milliseconds before the time that counts.
local function standing(rule, level, late)
  local room = rule.limit * rule.scale - level
  local remaining = math.max(0, math.floor(room / rule.scale))
  local reset = level > 0 and math.ceil(((remaining + 1) * rule.scale - room) / rule.leak) + late or 0
  return { remaining = remaining, reset = reset, wait = 0, delay = 0 }
end

-- What a charge pours in.
local function unitsOf(cost, rule)
  return math.min(cost, 2 * rule.limit) * rule.scale
end

local function answer(rule, level, charged, late)
  local given = standing(rule, level, late)
  -- Of a cost above the capacity it is rounded, and positive whatever the level.
  local excess = level - (rule.limit * rule.scale - charged)
  if excess > 0 then given.wait = math.ceil(excess / rule.leak) + late end
  if rule.maxDelay >= 0 then
    local delay = math.ceil(level / rule.leak) + late
    given.wait = math.max(given.wait, delay - rule.maxDelay)
    if given.wait == 0 then given.delay = delay end
  end
  return given
end

local function ask(charge, now)
  local state = stateNow(charge, now)
  local late = state.time - now
  local answers = {}
  for i, rule in ipairs(charge.rules) do
    answers[i] = answer(rule, state.levels[i], unitsOf(charge.cost, rule), late)
  end
  charge.state, charge.life = state, lifeOf(charge, late)
  return answers
end

local function take(charge, now)
  local state, left = charge.state, 0
  local late = state.time - now
  for i, rule in ipairs(charge.rules) do
    local level = fill(state, rule, state.levels[i] + unitsOf(charge.cost, rule))
    local delay = charge.answers[i].delay
    charge.answers[i] = standing(rule, level, late)
    charge.answers[i].delay = delay
    state.levels[i] = level
    left = math.max(left, math.ceil(level / rule.leak))
  end
  packed.save(charge.key, pack(charge, state), left + late)
end

-- Lowers the levels of the last charge. What may have leaked since is not given back: without this charge it might have
-- been other calls' that leaked. Nor is a charge from before the key was made, or from before it ran over.
local function refund(charge, now, at)
  local stored = load(charge)
  if not stored then return end
  local state = stateOf(charge, stored)
  if at < state.since then return end
  local time, highest = math.max(now, state.time), 0
  for i, rule in ipairs(charge.rules) do
    local returned = math.max(0, unitsOf(charge.cost, rule) - rule.leak * math.max(0, time - at))
    state.levels[i] = math.max(0, state.levels[i] - returned)
    highest = math.max(highest, state.levels[i])
  end
  if highest == 0 then
    redis.call('DEL', charge.key)
    return
  end
  local life, left = lifeOf(charge, time - now), redis.call('PTTL', charge.key)
  packed.save(charge.key, pack(charge, state), left > 0 and math.min(left, life) or life)
end

return { ask = ask, take = take, refund = refund }
