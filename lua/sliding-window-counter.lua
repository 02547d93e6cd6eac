-- Purpose: the sliding window counter. Permits are counted by sub-windows of `window / samples`; the window that ends now
--   holds the newest of them and a part of the oldest, which weighs as much as of it lies in the window, rounded up, or
--   counts whole.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, samples, isWhole.
-- RETURNS: { read, ask, take, refund } as driver.lua calls them.
-- Keys written: charge.key, a HASH with a field for each rule and sub-window that has permits, `<rule>:<sub-window>`. It
--   expires when the newest sub-window is out of the longest window (charge.life). Where Redis can, so does each field by
--   itself; besides, stale fields go when one is added, so that all servers hold the same.
--
-- Sub-windows are numbered from 1970. Time is never before the start of the newest one that has permits: a clock that
-- steps back neither frees nor admits anything.

-- Redis since 7.4, Valkey since 9, which says of itself here that it is Redis 7.2.
local canExpireFields = (redis.REDIS_VERSION_NUM or 0) >= 0x00070400 or (redis.VALKEY_VERSION_NUM or 0) >= 0x00090000

local function fieldOf(position, index)
  return string.format('%d:%d', position, index)
end

-- Subjects of one trip have the same fields, and many the same counts: each text is read once.
local places, amounts = {}, {}

-- The rule and the sub-window of a field, nothing for anything else.
local function placeOf(field)
  local place = places[field]
  if not place then
    local position, index = string.match(field, '^(%d+):(%d+)$')
    place = { position = tonumber(position) or 0, index = tonumber(index) }
    places[field] = place
  end
  return place.position, place.index
end

-- The number that a value of this hash is; false for what nobody counted, and Redis could perhaps not add to.
local function countOf(value)
  local amount = amounts[value]
  if amount == nil then
    amount = #value < 15 and string.match(value, '^[1-9]%d*$') and tonumber(value) or false
    amounts[value] = amount
  end
  return amount
end

-- Gives each rule its counts by sub-window, and the newest of these. Anything else under the key is no history and goes.
local function load(charge)
  local rules = charge.rules
  for i = 1, #rules do rules[i].counts, rules[i].newest = {}, 0 end
  local found = redis.pcall('HGETALL', charge.key)
  if found.err then
    redis.call('DEL', charge.key)
    return
  end
  for i = 1, #found, 2 do
    local position, index = placeOf(found[i])
    local rule, count = rules[position], countOf(found[i + 1])
    -- Behind 2^53 a next sub-window could not be told from the one before it, and a search for it would never end.
    if rule and count and index * rule.window < 2 ^ 53 then
      rule.counts[index] = count
      if index > rule.newest then rule.newest = index end
    else
      redis.call('HDEL', charge.key, found[i])
    end
  end
end

-- What permits weigh when `part` milliseconds of their sub-window lie in the window. A product that could pass 2^53 is
-- divided in two steps, so that no number comes near that while a sub-window has fewer than 2^34 milliseconds.
local SPLIT, EXACT = 2 ^ 17, 2 ^ 53
local floor, ceil, max, min = math.floor, math.ceil, math.max, math.min

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

-- The longest part, up to `most`, that weighs no more than `room`: by a division that is off by one at most where the
-- product is not exact.
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

-- The current sub-window, how far it has run, the sum of all in the window but the oldest, and the first of those.
local function standAt(rule, now)
  local sample = rule.sample
  local time = max(now, rule.newest * sample)
  local current, inside = floor(time / sample), 0
  local first, oldest, isStale = current, current - rule.samples, false
  for index, count in pairs(rule.counts) do
    if index > oldest then
      inside = inside + count
      if index < first then first = index end
    elseif index < oldest then
      isStale = true
    end
  end
  rule.current, rule.into, rule.inside, rule.first, rule.isStale = current, time % sample, inside, first, isStale
end

-- The first instant at which no more than `target` are used, with nobody else taking.
local function firstInstant(rule, target)
  local counts, index, into, inside = rule.counts, rule.current, rule.into, rule.inside
  if inside > target then
    -- Until the first of them is the oldest, nothing of them is gone.
    index, into = rule.first + rule.samples, 0
    inside = inside - (counts[rule.first] or 0)
  end
  while inside > target and index < rule.current + rule.samples do
    index = index + 1
    inside = inside - (counts[index - rule.samples] or 0)
  end
  local oldest = counts[index - rule.samples] or 0
  return (index + 1) * rule.sample - longestPart(rule, oldest, target - inside, rule.sample - into)
end

local function answer(rule, now, cost)
  local oldest = rule.counts[rule.current - rule.samples]
  local used = rule.inside + (oldest and weigh(rule, oldest, rule.sample - rule.into) or 0)
  rule.used, rule.remaining, rule.reset, rule.wait = used, max(0, rule.limit - used), 0, 0
  if used > 0 then rule.reset = firstInstant(rule, used - 1) - now end
  if used + cost > rule.limit then rule.wait = firstInstant(rule, max(0, rule.limit - cost)) - now end
end

-- How long what the current sub-window counts is of use.
local function lifeOf(rule, now)
  return (rule.current + 1) * rule.sample + rule.window - now
end

local function read(number)
  local rule = { limit = number(), window = number(), samples = number(), isWhole = number() == 1 }
  rule.sample = rule.window / rule.samples
  return rule
end

local function ask(charge, now)
  local rules, life = charge.rules, 0
  load(charge)
  for i = 1, #rules do
    standAt(rules[i], now)
    answer(rules[i], now, charge.cost)
    life = max(life, lifeOf(rules[i], now))
  end
  charge.life = life
end

local function removeStale(key, position, rule)
  for index in pairs(rule.counts) do
    if index < rule.current - rule.samples then redis.call('HDEL', key, fieldOf(position, index)) end
  end
end

local function take(charge, now)
  local key, cost, rules = charge.key, string.format('%d', charge.cost), charge.rules
  for i = 1, #rules do
    local rule = rules[i]
    if rule.named ~= rule.current then rule.named, rule.field = rule.current, fieldOf(i, rule.current) end
    local field = rule.field
    -- First, for this is where a full Redis refuses a script, which it does not do once something was written.
    local count = redis.call('HINCRBY', key, field, cost)
    if count == charge.cost and canExpireFields then
      redis.call('HPEXPIRE', key, lifeOf(rule, now), 'FIELDS', 1, field)
    end
    if rule.isStale then removeStale(key, i, rule) end
    rule.counts[rule.current], rule.inside = count, rule.inside + charge.cost
    local used = rule.used + charge.cost
    rule.remaining, rule.wait = max(0, rule.limit - used), 0
    -- Where older ones come back first, they do so when they did.
    if rule.used == 0 or rule.first == rule.current then rule.reset = firstInstant(rule, used - 1) - now end
  end
  redis.call('PEXPIRE', key, string.format('%d', charge.life))
end

-- From the sub-window of that instant, which is never a later one than the charge was counted in.
local function refund(charge, _, at)
  for i, rule in ipairs(charge.rules) do
    local field = fieldOf(i, floor(at / rule.sample))
    local value = redis.pcall('HGET', charge.key, field)
    local count = type(value) == 'string' and countOf(value)
    if count and count > charge.cost then
      redis.call('HINCRBY', charge.key, field, -charge.cost)
    elseif count then
      redis.call('HDEL', charge.key, field)
    end
  end
end

return { read = read, ask = ask, take = take, refund = refund }
