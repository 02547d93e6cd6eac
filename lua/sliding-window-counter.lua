-- Purpose: the sliding window counter. Permits are counted by sub-windows of `window / samples`; the window that ends now
--   holds the newest of them and a part of the oldest, which weighs as much as of it lies in the window, rounded up, or
--   counts whole.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, samples, isWhole.
-- RETURNS: { read, ask, stand, take, refund } as driver.lua calls them.
-- Keys written: charge.key, a HASH with a field for each rule and sub-window that has permits, whose name is a number, for
--   Redis keeps that in few bytes: sub-window * number of rules + place of the rule. The key expires when the newest
--   sub-window is out of the longest window (charge.life). Where Redis can, so does each field by itself; besides, stale fields go when one is added, so that all servers hold the same.
--
-- Sub-windows are numbered from 1970. Time is never before the start of the newest one that has permits: a clock that
-- steps back neither frees nor admits anything.

-- Redis since 7.4, Valkey since 9, which says of itself here that it is Redis 7.2.
local canExpireFields = (redis.REDIS_VERSION_NUM or 0) >= 0x00070400 or (redis.VALKEY_VERSION_NUM or 0) >= 0x00090000

local floor, ceil, max, min, format = math.floor, math.ceil, math.max, math.min, string.format
local call, pairs = redis.call, pairs

local function fieldOf(rules, position, index)
  return format('%d', index * #rules + position)
end

-- Subjects of one trip have the same fields, and many the same counts: each text is read once.
local numbers = {}

-- The number that a field or a value of this hash is; false for what nobody of us wrote, and Redis could perhaps not add to.
local function numberOf(text)
  local number = numbers[text]
  if number == nil then
    number = #text < 16 and string.match(text, '^[1-9]%d*$') and tonumber(text) or false
    numbers[text] = number
  end
  return number
end

-- Gives each rule its counts by sub-window, and the newest of these. Anything else under the key is no history and goes.
local function load(charge)
  local rules = charge.rules
  for i = 1, #rules do
    local counts = rules[i].counts
    for index in pairs(counts) do counts[index] = nil end
    rules[i].newest = 0
  end
  local found = redis.pcall('HGETALL', charge.key)
  if found.err then
    call('DEL', charge.key)
    return
  end
  for i = 1, #found, 2 do
    local field, count = numberOf(found[i]), numberOf(found[i + 1])
    local place = field and (field - 1) % #rules
    local rule, index = rules[place and place + 1], field and (field - 1 - place) / #rules
    -- Behind 2^53 a next sub-window could not be told from the one before it, and a search for it would never end.
    if rule and count and index * rule.window < 2 ^ 53 then
      rule.counts[index] = count
      if index > rule.newest then rule.newest = index end
    else
      call('HDEL', charge.key, found[i])
    end
  end
end

-- What permits weigh when `part` milliseconds of their sub-window lie in the window. A product that could pass 2^53 is
-- divided in two steps, so that no number comes near that while a sub-window has fewer than 2^34 milliseconds.
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
  local time = rule.newest * sample
  if time < now then time = now end
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
  rule.used, rule.wait = used, 0
  if used + cost > rule.limit then rule.wait = firstInstant(rule, max(0, rule.limit - cost)) - now end
end

-- How long what the current sub-window counts is of use.
local function lifeOf(rule, now)
  return (rule.current + 1) * rule.sample + rule.window - now
end

local function read(number)
  local rule = {
    limit = number(), window = number(), samples = number(), isWhole = number() == 1, sample = 0, block = 0,
    remaining = 0, reset = 0, wait = 0, used = 0, counts = {}, newest = 0, current = 0, into = 0, inside = 0, first = 0,
    isStale = false,
  }
  rule.sample = rule.window / rule.samples
  return rule
end

local function ask(charge, now)
  local rules, life = charge.rules, 0
  load(charge)
  for i = 1, #rules do
    local rule = rules[i]
    standAt(rule, now)
    answer(rule, now, charge.cost)
    local own = lifeOf(rule, now)
    if own > life then life = own end
  end
  charge.life = life
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
  for index in pairs(rule.counts) do
    if index < rule.current - rule.samples then call('HDEL', charge.key, fieldOf(charge.rules, position, index)) end
  end
end

local function take(charge, now)
  local key, cost, rules = charge.key, charge.cost, charge.rules
  if not charge.costText then charge.costText = format('%d', cost) end
  for i = 1, #rules do
    local rule = rules[i]
    if rule.named ~= rule.current then rule.named, rule.field = rule.current, fieldOf(rules, i, rule.current) end
    -- First, for this is where a full Redis refuses a script, which it does not do once something was written.
    local count = call('HINCRBY', key, rule.field, charge.costText)
    if count == cost and canExpireFields then
      call('HPEXPIRE', key, lifeOf(rule, now), 'FIELDS', 1, rule.field)
    end
    if rule.isStale then removeStale(charge, i, rule) end
    rule.counts[rule.current], rule.inside, rule.used, rule.wait = count, rule.inside + cost, rule.used + cost, 0
  end
  stand(charge, now)
  call('PEXPIRE', key, format('%d', charge.life))
end

-- From the sub-window of that instant, which is never a later one than the charge was counted in.
local function refund(charge, _, at)
  for i, rule in ipairs(charge.rules) do
    local field = fieldOf(charge.rules, i, floor(at / rule.sample))
    local value = redis.pcall('HGET', charge.key, field)
    local count = type(value) == 'string' and numberOf(value)
    if count and count > charge.cost then
      redis.call('HINCRBY', charge.key, field, -charge.cost)
    elseif count then
      redis.call('HDEL', charge.key, field)
    end
  end
end

return { read = read, ask = ask, stand = stand, take = take, refund = refund }
