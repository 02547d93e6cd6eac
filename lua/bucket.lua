-- Purpose: the arithmetic that both buckets share: a level that rises with each charge and leaks steadily. The level of
--   a leaky bucket is the number of tokens that a token bucket lacks.
-- KEYS: none of its own; driver.lua passes it a charge: key, cost, rules.
-- ARGV: none of its own; leaky-bucket.lua and token-bucket.lua read rules: limit (capacity in permits), leak, scale,
--   maxDelay.
-- RETURNS: { rule, ask, stand, take, refund }. rule(limit, leak, scale, maxDelay) makes a rule; driver.lua describes
--   the others.
-- Keys written: charge.key, a string of doubles: the instant of the levels in milliseconds, the first instant whose
--   charges may be refunded, and for each rule its level and scale. It expires when all levels have leaked to 0; a
--   refund never extends that.
--
-- Levels are counted in units: `scale` units are a permit, and `leak` units, a whole number, leak each millisecond. So
-- nothing is rounded, and no remainder is lost. Twice the capacity is below 2^53, which keeps every sum, difference and
-- quotient exact; leak * elapsed may exceed that, but is larger than any level then.

local packed = use('packed')
local load, save, isWhole, pack, unpack = packed.load, packed.save, packed.isWhole, struct.pack, struct.unpack
local floor, ceil, min, max = math.floor, math.ceil, math.min, math.max

local HALF = 2 ^ 17

-- The brim is the most that a bucket ever holds: forced charges may exceed its capacity by one more capacity at most.
local function rule(limit, leak, scale, maxDelay)
  local capacity = limit * scale
  return {
    limit = limit, leak = leak, scale = scale, maxDelay = maxDelay, capacity = capacity, brim = 2 * capacity,
    life = ceil(2 * capacity / leak), level = 0, block = 0, remaining = 0, reset = 0, wait = 0, delay = 0,
  }
end

-- amount * factor / divisor, rounded up, where amount < divisor. All are scales or parts of them, and so below 2^35.
-- Their product may exceed 2^53, so it is computed in two parts that do not.
local function ratio(amount, factor, divisor)
  local high, low = floor(factor / HALF), factor % HALF
  local whole, rest = floor(amount * high / divisor), amount * high % divisor
  return whole * HALF + ceil((rest * HALF + amount * low) / divisor)
end

-- Converts a level that was stored under another limit, and so another scale, to the rule's units, rounded up. A level
-- above the brim may come out inexact, but is still above it.
local function convert(level, scale, rule)
  return floor(level / scale) * rule.scale + ratio(level % scale, rule.scale, scale)
end

-- Caps a level at the brim. The excess is lost, so charges up to now are no longer refunded.
local function fill(charge, rule, level)
  if level < rule.brim then return level end
  charge.since = charge.time + 1
  return rule.brim
end

-- Loads the levels and time of the last charge, in the units of the rules that ask now. False when there is no history.
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

-- Sets `remaining` and `reset` of a rule. `late` is how many milliseconds the clock is behind the time of the levels.
local function standAt(rule, late)
  local level, scale = rule.level, rule.scale
  local room = rule.capacity - level
  local remaining = room > 0 and floor(room / scale) or 0
  rule.remaining = remaining
  rule.reset = level > 0 and ceil(((remaining + 1) * scale - room) / rule.leak) + late or 0
end

-- The units that a charge adds.
local function unitsOf(cost, rule)
  local most = 2 * rule.limit
  return (cost < most and cost or most) * rule.scale
end

-- When the clock has stepped back, the time of the last charge is used instead.
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
    -- With a cost above the capacity this may be inexact, but is always positive; the wait promises nothing then.
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

-- Lowers the levels by the charge, less what may have leaked of it since: without this charge the same leak would have
-- drained other calls' permits. A charge from before the key existed, or from before it ran over, is not refunded.
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
