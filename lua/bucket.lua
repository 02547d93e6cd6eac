-- Purpose: the one arithmetic of both buckets: a level that rises with each charge and leaks steadily. What a token bucket
--   lacks of its tokens is the level of a leaky bucket.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV: none of its own; the fragments that share it read rules: limit (capacity in permits), leak, scale, maxDelay.
-- RETURNS: { rule, ask, stand, take, refund }. rule(rule) gives a rule that was read what follows from it alone; the others are as
--   driver.lua calls them.
-- Keys written: charge.key, a string of doubles: the instant of the levels in milliseconds, the first instant whose charges
--   may be given back, and for each rule its level and scale. It expires when all levels are 0; a refund leaves that.
--
-- A level is counted in units, `scale` of which are a permit, so that `leak` of them, a whole number, go each millisecond:
-- nothing is rounded, and no remainder is ever lost. Twice the capacity stays below 2^53, and so all that is added,
-- subtracted and divided here is exact; a product of leak and elapsed time may be larger, but then exceeds any level.

local packed = use('packed')
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

local HALF = 2 ^ 17
-- Where a list of levels has what all rules share; the level of the nth rule is at 2n + 1, and its scale behind it.
local TIME, SINCE = 1, 2

-- The brim is the most a bucket ever holds: what was forced beyond its capacity is a debt of one more bucketful at most.
local function rule(own)
  own.capacity = own.limit * own.scale
  own.brim = 2 * own.capacity
  own.life = ceil(own.brim / own.leak)
  own.block, own.remaining, own.reset, own.wait, own.delay = 0, 0, 0, 0, 0
  return own
end

-- amount * factor / divisor, rounded up, where amount < divisor. Scales divide a window in milliseconds, so all are below
-- 2^35; their product is not below 2^53, and is made in two parts that are.
local function ratio(amount, factor, divisor)
  local high, low = floor(factor / HALF), factor % HALF
  local whole, rest = floor(amount * high / divisor), amount * high % divisor
  return whole * HALF + ceil((rest * HALF + amount * low) / divisor)
end

-- A level of another scale, for the limit was another, as units of the rule's: rounded up to a whole one. What exceeds the
-- brim may be rounded, but exceeds it still.
local function convert(level, scale, rule)
  return floor(level / scale) * rule.scale + ratio(level % scale, rule.scale, scale)
end

-- A level that is no more than the brim. What runs over is forgotten, so what made it run over is not given back.
local function fill(levels, rule, level)
  if level < rule.brim then return level end
  levels[SINCE] = levels[TIME] + 1
  return rule.brim
end

-- What is stored, in the units of the rules that ask: the levels of the last charge, at its time. Nil for no history.
local function stored(charge)
  local rules = charge.rules
  local levels = packed.load(charge.key, 2 + 2 * #rules)
  if not levels then return nil end
  for i = 1, #rules do
    local rule, level, scale = rules[i], levels[2 * i + 1], levels[2 * i + 2]
    if scale ~= rule.scale then level = convert(level, scale, rule) end
    levels[2 * i + 1], levels[2 * i + 2] = fill(levels, rule, level), rule.scale
  end
  return levels
end

local function empty(rules, now)
  local levels = { now, now }
  for i = 1, #rules do levels[2 * i + 1], levels[2 * i + 2] = 0, rules[i].scale end
  return levels
end

-- How a rule stands, `late` milliseconds before the time that counts.
local function standAt(rule, level, late)
  local scale, room = rule.scale, rule.capacity - level
  local remaining = room > 0 and floor(room / scale) or 0
  rule.remaining = remaining
  rule.reset = level > 0 and ceil(((remaining + 1) * scale - room) / rule.leak) + late or 0
end

-- What a charge pours in.
local function unitsOf(cost, rule)
  local most = 2 * rule.limit
  return (cost < most and cost or most) * rule.scale
end

local function answer(rule, level, charged, late)
  local wait, delay = 0, 0
  -- Of a cost above the capacity it is rounded, and positive whatever the level.
  local excess = level - (rule.capacity - charged)
  if excess > 0 then wait = ceil(excess / rule.leak) + late end
  if rule.maxDelay >= 0 then
    delay = ceil(level / rule.leak) + late
    wait = max(wait, delay - rule.maxDelay)
  end
  rule.wait, rule.delay = wait, wait == 0 and delay or 0
end

-- Time that steps back counts as that of the last charge.
local function ask(charge, now)
  local rules, cost, life = charge.rules, charge.cost, 0
  local levels = stored(charge) or empty(rules, now)
  local time = max(now, levels[TIME])
  local elapsed, late = time - levels[TIME], time - now
  levels[TIME] = time
  for i = 1, #rules do
    local rule = rules[i]
    local level = levels[2 * i + 1] - rule.leak * elapsed
    if level < 0 then level = 0 end
    levels[2 * i + 1] = level
    answer(rule, level, unitsOf(cost, rule), late)
    if rule.life > life then life = rule.life end
  end
  charge.levels, charge.life = levels, life + late
end

local function stand(charge, now)
  local rules, levels = charge.rules, charge.levels
  for i = 1, #rules do standAt(rules[i], levels[2 * i + 1], levels[TIME] - now) end
end

local function take(charge, now)
  local rules, cost, levels, left = charge.rules, charge.cost, charge.levels, 0
  local late = levels[TIME] - now
  for i = 1, #rules do
    local rule = rules[i]
    local level = fill(levels, rule, levels[2 * i + 1] + unitsOf(cost, rule))
    levels[2 * i + 1] = level
    standAt(rule, level, late)
    rule.wait = 0
    local own = level / rule.leak
    if own > left then left = own end
  end
  packed.save(charge.key, levels, left + late)
end

-- Lowers the levels of the last charge. What may have leaked since is not given back: without this charge it might have
-- been other calls' that leaked. Nor is a charge from before the key was made, or from before it ran over.
local function refund(charge, now, at)
  local levels = stored(charge)
  if not levels or at < levels[SINCE] then return end
  local time, highest, life = max(now, levels[TIME]), 0, 0
  for i, rule in ipairs(charge.rules) do
    local returned = max(0, unitsOf(charge.cost, rule) - rule.leak * max(0, time - at))
    levels[2 * i + 1] = max(0, levels[2 * i + 1] - returned)
    highest, life = max(highest, levels[2 * i + 1]), max(life, rule.life)
  end
  if highest == 0 then
    redis.call('DEL', charge.key)
    return
  end
  local longest, left = life + time - now, redis.call('PTTL', charge.key)
  packed.save(charge.key, levels, left > 0 and min(left, longest) or longest)
end

return { rule = rule, ask = ask, stand = stand, take = take, refund = refund }
