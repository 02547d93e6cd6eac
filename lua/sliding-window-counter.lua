-- Purpose: the sliding window counter. Permits are counted in sub-windows of `window / samples`. The window that ends
--   now covers the newest sub-windows and a part of the oldest, whose count is weighted by that part and rounded up, or
--   with isWhole counted whole.
-- KEYS: none of its own; driver.lua passes it a charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, samples, isWhole (1 or 0).
-- RETURNS: { read, ask, stand, take, refund } as driver.lua describes them.
-- Keys written: charge.key, a HASH with a field for each rule and sub-window that has permits. Field names are numbers,
--   which Redis stores in few bytes: sub-window * number of rules + place of the rule. The key expires when the newest
--   sub-window has left the longest window (charge.life). Each field expires by itself too where the server can do
--   that; and taking removes stale fields, so that all servers hold the same.
--
-- Sub-windows are numbered from 1970. The time used is never before the start of the newest sub-window with permits, so
-- that a clock that steps back neither frees nor admits anything.

-- Redis since 7.4, and Valkey since 9, whose REDIS_VERSION_NUM claims Redis 7.2.
local canExpireFields = (redis.REDIS_VERSION_NUM or 0) >= 0x00070400 or (redis.VALKEY_VERSION_NUM or 0) >= 0x00090000

local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min
local call, get, format = redis.call, redis.pcall, string.format

local function fieldOf(rules, position, index)
  return format('%d', index * #rules + position)
end

-- Parsed numbers by their text: the subjects of a trip have the same fields, and often the same counts.
local numbers = {}

-- The number that a field or a value of this hash holds; false for what this script did not write, such as a text that
-- HINCRBY could not add to.
local function numberOf(text)
  local number = numbers[text]
  if number == nil then
    number = #text < 16 and string.match(text, '^[1-9]%d*$') and tonumber(text) or false
    numbers[text] = number
  end
  return number
end

-- Loads each rule's sub-windows, in any order, and the number of the newest. Deletes anything else found under the key.
local function load(charge)
  local rules = charge.rules
  local ofRules = #rules
  for i = 1, ofRules do rules[i].kept, rules[i].newest = 0, 0 end
  local found = get('HGETALL', charge.key)
  if found.err then
    call('DEL', charge.key)
    return
  end
  for i = 1, #found, 2 do
    local field, count = numberOf(found[i]), numberOf(found[i + 1])
    local place = field and (field - 1) % ofRules
    local rule, index = rules[place and place + 1], field and (field - 1 - place) / ofRules
    -- Beyond 2^53 adding 1 to an index has no effect, and firstInstant would never end.
    if rule and count and index * rule.window < 2 ^ 53 then
      local kept = rule.kept + 1
      rule.kept, rule.indexes[kept], rule.counts[kept] = kept, index, count
      if index > rule.newest then rule.newest = index end
    else
      call('HDEL', charge.key, found[i])
    end
  end
end

-- The weight of `count` permits when `part` milliseconds of their sub-window lie in the window. A product that could
-- exceed 2^53 is divided in two steps, which stay exact for sub-windows of up to 2^34 milliseconds.
local SPLIT, EXACT = 2 ^ 17, 2 ^ 53

local function weigh(rule, count, part)
  if rule.isWhole then return part > 0 and count or 0 end
  local sample = rule.sample
  if count * sample < EXACT then return ceil(count * part / sample) end
  local rest, low = count % sample, part % SPLIT
  local first = rest * ((part - low) / SPLIT)
  local over = first % sample
  local wholes = (count - rest) / sample * part + (first - over) / sample * SPLIT
  return wholes + ceil((over * SPLIT + rest * low) / sample)
end

-- The longest part, up to `most` milliseconds, whose weight is no more than `room`. Where the product is not exact, the
-- division is off by one at most, which is corrected.
local function longestPart(rule, count, room, most)
  if count <= room then return most end
  if rule.isWhole then return 0 end
  local part = floor(room * rule.sample / count)
  if count * rule.sample < EXACT then return min(most, part) end
  if weigh(rule, count, most) <= room then return most end
  if weigh(rule, count, part) > room then return part - 1 end
  if weigh(rule, count, part + 1) <= room then return part + 1 end
  return part
end

-- Sets the current sub-window and the milliseconds `into` it; the count of the oldest in the window and the sum
-- `inside` of all others; the first of those others and its count; and whether stale ones are stored.
local function standAt(rule, now)
  local sample, indexes, counts = rule.sample, rule.indexes, rule.counts
  local time = rule.newest * sample
  if time < now then time = now end
  local into = time % sample
  local current = (time - into) / sample
  local oldest, inside, oldestCount, first, firstCount, isStale = current - rule.samples, 0, 0, current + 1, 0, false
  for i = 1, rule.kept do
    local index, count = indexes[i], counts[i]
    if index > oldest then
      inside = inside + count
      if index < first then first, firstCount = index, count end
    elseif index == oldest then
      oldestCount = count
    else
      isStale = true
    end
  end
  rule.current, rule.into, rule.inside, rule.oldestCount = current, into, inside, oldestCount
  rule.first, rule.firstCount, rule.isStale = first, firstCount, isStale
end

local function byIndex(rule)
  local counts = {}
  for i = 1, rule.kept do counts[rule.indexes[i]] = rule.counts[i] end
  return counts
end

-- The first instant at which no more than `target` permits are used, if nobody takes any until then.
local function firstInstant(rule, target)
  local index, into, inside, oldest = rule.current, rule.into, rule.inside, rule.oldestCount
  if inside > target then
    -- None of them decays before the first of them has become the oldest.
    index, into, oldest = rule.first + rule.samples, 0, rule.firstCount
    inside = inside - oldest
    local counts = inside > target and byIndex(rule)
    while inside > target do
      index = index + 1
      oldest = counts[index - rule.samples] or 0
      inside = inside - oldest
    end
  end
  return (index + 1) * rule.sample - longestPart(rule, oldest, target - inside, rule.sample - into)
end

local function answer(rule, now, cost)
  local oldest = rule.oldestCount
  local used = rule.inside + (oldest > 0 and weigh(rule, oldest, rule.sample - rule.into) or 0)
  rule.used, rule.wait = used, 0
  if used + cost <= rule.limit then return true end
  -- A cost above the limit, possible only in shadow and degrade mode, never passes.
  rule.wait = cost > rule.limit and rule.window or firstInstant(rule, rule.limit - cost) - now
  return rule.wait == 0
end

-- Milliseconds until the current sub-window has left the window.
local function lifeOf(rule, now)
  return (rule.current + 1) * rule.sample + rule.window - now
end

local function read(number)
  local rule = {
    limit = number(), window = number(), samples = number(), isWhole = number() == 1, sample = 0, block = 0,
    remaining = 0, reset = 0, wait = 0, delay = 0, used = 0, indexes = {}, counts = {}, kept = 0, newest = 0, current = 0,
    into = 0, inside = 0, oldestCount = 0, first = 0, firstCount = 0, isStale = false,
  }
  rule.sample = rule.window / rule.samples
  return rule
end

local function ask(charge, now)
  local rules, life, passes = charge.rules, 0, true
  load(charge)
  for i = 1, #rules do
    local rule = rules[i]
    standAt(rule, now)
    if not answer(rule, now, charge.cost) then passes = false end
    local own = lifeOf(rule, now)
    if own > life then life = own end
  end
  charge.life = life
  return passes
end

local function stand(charge, now)
  local rules = charge.rules
  for i = 1, #rules do
    local rule = rules[i]
    local used = rule.used
    rule.remaining, rule.reset = max(0, rule.limit - used), used > 0 and firstInstant(rule, used - 1) - now or 0
  end
end

local function removeStale(charge, position, rule)
  for i = 1, rule.kept do
    local index = rule.indexes[i]
    if index < rule.current - rule.samples then call('HDEL', charge.key, fieldOf(charge.rules, position, index)) end
  end
end

-- Adds the charge to what `ask` has set.
local function count(rule, cost, permits)
  rule.inside, rule.used, rule.wait = rule.inside + cost, rule.used + cost, 0
  if rule.first > rule.current then rule.first = rule.current end
  if rule.first == rule.current then rule.firstCount = permits end
end

local function take(charge, now)
  local key, cost, rules = charge.key, charge.cost, charge.rules
  local costText, isNew = format('%d', cost), false
  for i = 1, #rules do
    local rule = rules[i]
    if rule.named ~= rule.current then rule.named, rule.field = rule.current, fieldOf(rules, i, rule.current) end
    -- The first write may fail with OOM; once a script has written, Redis lets it go on. So this one comes first.
    local permits = call('HINCRBY', key, rule.field, costText)
    if permits == cost then
      isNew = true
      if canExpireFields then call('HPEXPIRE', key, lifeOf(rule, now), 'FIELDS', 1, rule.field) end
    end
    if rule.isStale then removeStale(charge, i, rule) end
    count(rule, cost, permits)
  end
  stand(charge, now)
  -- It is the same instant as long as no sub-window begins.
  if isNew then call('PEXPIRE', key, format('%d', charge.life)) end
end

-- Refunds from the sub-window of the instant `at`, which is never later than the one that counted the charge.
local function refund(charge, _, at)
  for i, rule in ipairs(charge.rules) do
    local field = fieldOf(charge.rules, i, floor(at / rule.sample))
    local value = get('HGET', charge.key, field)
    local count = type(value) == 'string' and numberOf(value)
    if count and count > charge.cost then
      call('HINCRBY', charge.key, field, -charge.cost)
    elseif count then
      call('HDEL', charge.key, field)
    end
  end
end

return { read = read, ask = ask, stand = stand, take = take, refund = refund }
