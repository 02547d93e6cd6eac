-- Purpose: the one arithmetic of both buckets: a level that rises with each charge and leaks steadily. What a token bucket
--   lacks of its tokens is the level of a leaky bucket.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV: none of its own; the fragments that share it read rules: limit (capacity in permits), leak, scale, maxDelay.
-- RETURNS: { rule, ask, stand, take, refund }. rule(limit, leak, scale, maxDelay) gives a rule; the others are as driver.lua
--   calls them.
-- Keys written: charge.key, a string of doubles: the instant of the levels in milliseconds, the first instant whose charges
--   may be given back, and for each rule its level and scale. It expires when all levels are 0; a refund leaves that.
--
-- A level is counted in units, `scale` of which are a permit, so that `leak` of them, a whole number, go each millisecond:
-- nothing is rounded, and no remainder is ever lost. Twice the capacity stays below 2^53, and so all that is added,
-- subtracted and divided here is exact; a product of leak and elapsed time may be larger, but then exceeds any level.

local packed = use('packed')
local load, save, isWhole, pack, unpack = packed.load, packed.save, packed.isWhole, struct.pack, struct.unpack
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

local HALF = 2 ^ 17

-- The brim is the most a bucket ever holds: what was forced beyond its capacity is a debt of one more bucketful at most.
local function rule(limit, leak, scale, maxDelay)
  local capacity = limit * scale
  return {
    limit = limit, leak = leak, scale = scale, maxDelay = maxDelay, capacity = capacity, brim = 2 * capacity,
    life = ceil(2 * capacity / leak), level = 0, block = 0, remaining = 0, reset = 0, wait = 0, delay = 0,
  }
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
local function fill(charge, rule, level)
  if level < rule.brim then return level end
  charge.since = charge.time + 1
  return rule.brim
end

-- What is stored, in the units of the rules that ask: the levels of the last charge, and its time. False for no history.
local function recall(charge)
  local rules = charge.rules
  local text = load(charge.key, 2 + 2 * #rules)
  if not text then return false end
  local time, since, level, scale, place = unpack('<dddd', text)
  if not isWhole(time) then return false end
  charge.time, charge.since = time, since
  for i = 1, #rules do
    local rule = rules[i]
    if i > 1 then level, scale, place = unpack('<dd', text, place) end
    if not isWhole(level) then return false end
    if scale ~= rule.scale then
      if not isWhole(scale) then return false end
      level = convert(level, scale, rule)
    end
    rule.level = fill(charge, rule, level)
  end
  return true
end

local function keep(charge, milliseconds)
  local rules, text = charge.rules, nil
  for i = 1, #rules do
    local rule = rules[i]
    if i == 1 then
      text = pack('<dddd', charge.time, charge.since, rule.level, rule.scale)
    else
      text = text .. pack('<dd', rule.level, rule.scale)
    end
  end
  save(charge.key, text, milliseconds)
end

-- How a rule stands, `late` milliseconds before the time that counts.
local function standAt(rule, late)
  local level, scale = rule.level, rule.scale
  local room = rule.capacity - level
  local remaining = room > 0 and floor(room / scale) or 0
  rule.remaining = remaining
  rule.reset = level > 0 and ceil(((remaining + 1) * scale - room) / rule.leak) + late or 0
end

-- What a charge pours in.
local function unitsOf(cost, rule)
  local most = 2 * rule.limit
  return (cost < most and cost or most) * rule.scale
end

-- Time that steps back counts as that of the last charge.
local function ask(charge, now)
  local rules, cost, life, passes = charge.rules, charge.cost, 0, true
  local isKept = recall(charge)
  if not isKept then charge.time, charge.since = now, now end
  local time = charge.time
  local elapsed, late = 0, 0
  if now > time then
    elapsed, charge.time = now - time, now
  else
    late = time - now
  end
  for i = 1, #rules do
    local rule = rules[i]
    local leak, level, wait, delay = rule.leak, 0, 0, 0
    if isKept then
      level = rule.level - leak * elapsed
      if level < 0 then level = 0 end
    end
    rule.level = level
    -- Of a cost above the capacity it may be rounded, and is positive whatever the level; such a wait is no promise.
    local excess = level - (rule.capacity - unitsOf(cost, rule))
    if excess > 0 then wait = ceil(min(excess, rule.brim) / leak) + late end
    if rule.maxDelay >= 0 then
      delay = ceil(level / leak) + late
      wait = max(wait, delay - rule.maxDelay)
    end
    if wait > 0 then delay, passes = 0, false end
    rule.wait, rule.delay = wait, delay
    if rule.life > life then life = rule.life end
  end
  charge.life = life + late
  return passes
end

local function stand(charge, now)
  local rules, late = charge.rules, charge.time - now
  for i = 1, #rules do standAt(rules[i], late) end
end

local function take(charge, now)
  local rules, cost, late, left = charge.rules, charge.cost, charge.time - now, 0
  for i = 1, #rules do
    local rule = rules[i]
    local level = fill(charge, rule, rule.level + unitsOf(cost, rule))
    rule.level, rule.wait = level, 0
    standAt(rule, late)
    local own = level / rule.leak
    if own > left then left = own end
  end
  keep(charge, left + late)
end

-- Lowers the levels of the last charge. What may have leaked since is not given back: without this charge it might have
-- been other calls' that leaked. Nor is a charge from before the key was made, or from before it ran over.
local function refund(charge, now, at)
  if not recall(charge) or at < charge.since then return end
  local time, highest, life = max(now, charge.time), 0, 0
  for _, rule in ipairs(charge.rules) do
    local returned = max(0, unitsOf(charge.cost, rule) - rule.leak * max(0, time - at))
    rule.level = max(0, rule.level - returned)
    highest, life = max(highest, rule.level), max(life, rule.life)
  end
  if highest == 0 then
    redis.call('DEL', charge.key)
    return
  end
  local longest, left = life + time - now, redis.call('PTTL', charge.key)
  keep(charge, left > 0 and min(left, longest) or longest)
end

return { rule = rule, ask = ask, stand = stand, take = take, refund = refund }
