-- Purpose: the sliding window counter. Permits are counted by sub-windows of `window / samples`; the window that ends now
--   holds the newest of them and a part of the oldest, which weighs as much as of it lies in the window, rounded up, or
--   counts whole.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, samples, isWhole.
-- RETURNS: { read, ask, take, refund }, as sliding-window-log.lua.
-- Keys written: charge.key, a HASH with a field for each rule and sub-window that has permits, `<rule>:<sub-window>`. It
--   expires when the newest sub-window is out of the longest window (charge.life). Where Redis can, so does each field by
--   itself; besides, stale fields go when one is added, so that all servers hold the same.
--
-- Sub-windows are numbered from 1970. Time is never before the start of the newest one that has permits: a clock that
-- steps back neither frees nor admits anything.

-- Redis since 7.4, Valkey since 9, which says of itself here that it is Redis 7.2.
local canExpireFields = (redis.REDIS_VERSION_NUM or 0) >= 0x00070400 or (redis.VALKEY_VERSION_NUM or 0) >= 0x00090000

local function fieldOf(position, index)
  return string.format('%d:%.0f', position, index)
end

-- The number that a value of this hash is; false or nil for what nobody counted, and Redis could perhaps not add to.
local function countOf(value)
  return #value < 15 and string.match(value, '^[1-9]%d*$') and tonumber(value)
end

-- For each rule its counts by sub-window. Anything else under the key is no history and goes.
local function load(charge)
  local all = {}
  for i in ipairs(charge.rules) do all[i] = {} end
  local found = redis.pcall('HGETALL', charge.key)
  if found.err then
    redis.call('DEL', charge.key)
    return all
  end
  for i = 1, #found, 2 do
    local position, index = string.match(found[i], '^(%d+):(%d+)$')
    local rule, count = charge.rules[tonumber(position)], countOf(found[i + 1])
    -- Behind 2^53 a next sub-window could not be told from the one before it, and a search for it would never end.
    if rule and count and tonumber(index) * rule.window < 2 ^ 53 then
      all[tonumber(position)][tonumber(index)] = count
    else
      redis.call('HDEL', charge.key, found[i])
    end
  end
  return all
end

-- What permits weigh when `part` milliseconds of their sub-window lie in the window. The product is divided in two steps,
-- so that no number comes near 2^53 while a sub-window has fewer than 2^34 milliseconds.
local SPLIT = 2 ^ 17

local function weigh(rule, count, part)
  if rule.isWhole then return part > 0 and count or 0 end
  local sample = rule.sample
  local rest, low = count % sample, part % SPLIT
  local first = rest * ((part - low) / SPLIT)
  local over = first % sample
  local wholes = (count - rest) / sample * part + (first - over) / sample * SPLIT
  return wholes + math.ceil((over * SPLIT + rest * low) / sample)
end

-- The longest part, up to `most`, that weighs no more than `room`: by a division that is off by one at most.
local function longestPart(rule, count, room, most)
  if weigh(rule, count, most) <= room then return most end
  if rule.isWhole then return 0 end
  local part = math.floor(room * rule.sample / count)
  if weigh(rule, count, part) > room then return part - 1 end
  if weigh(rule, count, part + 1) <= room then return part + 1 end
  return part
end

-- The current sub-window, how far it has run, and the sum of all in the window but the oldest.
local function stateOf(rule, counts, now)
  local time = now
  for index in pairs(counts) do time = math.max(time, index * rule.sample) end
  local current, inside = math.floor(time / rule.sample), 0
  for index, count in pairs(counts) do
    if index > current - rule.samples then inside = inside + count end
  end
  return { counts = counts, current = current, into = time % rule.sample, inside = inside }
end

-- The first instant at which no more than `target` are used, with nobody else taking.
local function firstInstant(rule, state, target)
  local counts, index, into, inside = state.counts, state.current, state.into, state.inside
  while inside > target and index < state.current + rule.samples do
    index, into = index + 1, 0
    inside = inside - (counts[index - rule.samples] or 0)
  end
  local oldest = counts[index - rule.samples] or 0
  return (index + 1) * rule.sample - longestPart(rule, oldest, target - inside, rule.sample - into)
end

local function answer(rule, state, now, cost)
  local oldest = state.counts[state.current - rule.samples] or 0
  local used = state.inside + weigh(rule, oldest, rule.sample - state.into)
  local reset, wait = 0, 0
  if used > 0 then reset = firstInstant(rule, state, used - 1) - now end
  if used + cost > rule.limit then wait = firstInstant(rule, state, math.max(0, rule.limit - cost)) - now end
  return { remaining = math.max(0, rule.limit - used), reset = reset, wait = wait }
end

-- How long what the current sub-window counts is of use.
local function lifeOf(rule, state, now)
  return (state.current + 1) * rule.sample + rule.window - now
end

local function read(number)
  local rule = { limit = number(), window = number(), samples = number(), isWhole = number() == 1 }
  rule.sample = rule.window / rule.samples
  return rule
end

local function ask(charge, now)
  local answers, states = {}, {}
  charge.life = 0
  for i, counts in ipairs(load(charge)) do
    local rule = charge.rules[i]
    states[i] = stateOf(rule, counts, now)
    answers[i] = answer(rule, states[i], now, charge.cost)
    charge.life = math.max(charge.life, lifeOf(rule, states[i], now))
  end
  charge.states = states
  return answers
end

local function removeStale(key, position, rule, state)
  for index in pairs(state.counts) do
    if index < state.current - rule.samples then redis.call('HDEL', key, fieldOf(position, index)) end
  end
end

local function take(charge, now)
  local key, cost = charge.key, charge.cost
  for i, rule in ipairs(charge.rules) do
    local state = charge.states[i]
    local field = fieldOf(i, state.current)
    -- First, for this is where a full Redis refuses a script, which it does not do once something was written.
    local count = redis.call('HINCRBY', key, field, cost)
    if count == cost and canExpireFields then
      redis.call('HPEXPIRE', key, lifeOf(rule, state, now), 'FIELDS', 1, field)
    end
    removeStale(key, i, rule, state)
    state.counts[state.current], state.inside = count, state.inside + cost
    charge.answers[i] = answer(rule, state, now, 0)
    charge.answers[i].wait = 0
  end
  redis.call('PEXPIRE', key, charge.life)
end

-- From the sub-window of that instant, which is never a later one than the charge was counted in.
local function refund(charge, _, at)
  for i, rule in ipairs(charge.rules) do
    local field = fieldOf(i, math.floor(at / rule.sample))
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
