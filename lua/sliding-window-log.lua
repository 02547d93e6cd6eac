-- Purpose: the sliding window log. Every admitted charge is remembered for the longest window, so that no window
--   of any position holds more than its limit. An entry counts while it is younger than the window.
-- KEYS, ARGV: none of its own; driver.lua hands it one charge: key, cost, rules (limit, window), longest (window).
-- RETURNS: { ask, take }, both called with a charge and the time; ask fills charge.answers, take brings them up to date.
-- Keys written: charge.key, a ZSET of one member a charge, scored by its time in milliseconds, for all windows alike.
--   Expires one longest window after the last charge; a key without expiry, or with a longer one, is mended when asked.
--
-- A member is the running total of permits, behind a letter for its number of digits, so that members of one millisecond
-- sort by total: a1 b10 b12:2, the last for a cost of 2. What a window holds is then a difference of two totals.
-- Entries older than the longest window go when one is added, and not when asked: a refusal writes nothing.

local function integer(number)
  return string.format('%.0f', number)
end

local function memberOf(total, cost)
  local digits = integer(total)
  local member = string.char(96 + #digits) .. digits
  if cost == 1 then return member end
  return member .. ':' .. integer(cost)
end

local function parse(member)
  local total, cost = string.match(member, '^%l(%d+):?(%d*)$')
  return tonumber(total), tonumber(cost) or 1
end

-- The total and time of the last entry, nil for none. Anything else under the key is no history and goes.
local function lastOf(key)
  local last = redis.pcall('ZRANGE', key, -1, -1, 'WITHSCORES')
  local total = not last.err and last[1] and parse(last[1])
  if total then return total, tonumber(last[2]) end
  if last.err or last[1] then redis.call('DEL', key) end
end

-- The time at which the entry leaves that brings the running total past `total`: a search by halves over the ranks.
local function timeOfTotal(key, total)
  local low, high = 0, redis.call('ZCARD', key) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if parse(redis.call('ZRANGE', key, middle, middle)[1]) >= total then high = middle else low = middle + 1 end
  end
  return tonumber(redis.call('ZRANGE', key, low, low, 'WITHSCORES')[2])
end

local function answer(charge, now, rule)
  local after = '(' .. integer(charge.time - rule.window)
  local first = redis.call('ZRANGEBYSCORE', charge.key, after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  if not first[1] then return { remaining = rule.limit, reset = 0, wait = 0 } end
  local total, cost = parse(first[1])
  local before = total - cost
  local used = charge.total - before
  local reset = tonumber(first[2]) + rule.window - now
  local remaining = math.max(0, rule.limit - used)
  local excess = used + charge.cost - rule.limit
  if excess <= 0 then return { remaining = remaining, reset = reset, wait = 0 } end
  return { remaining = remaining, reset = reset, wait = timeOfTotal(charge.key, before + excess) + rule.window - now }
end

local function ask(charge, now)
  local total, at = lastOf(charge.key)
  -- Time that steps back counts as the time of the last entry: nothing is reordered, and no wait is negative.
  charge.time = math.max(now, at or now)
  charge.total = total and at > charge.time - charge.longest and total or 0
  if total then
    local left = redis.call('PTTL', charge.key)
    if left == -1 or left > charge.longest then redis.call('PEXPIRE', charge.key, charge.longest) end
  end
  charge.answers = {}
  for i, rule in ipairs(charge.rules) do
    charge.answers[i] = answer(charge, now, rule)
  end
end

local function take(charge, now)
  -- First, for this is where a full Redis refuses a script, which it does not do once something was written.
  redis.call('ZADD', charge.key, integer(charge.time), memberOf(charge.total + charge.cost, charge.cost))
  redis.call('ZREMRANGEBYSCORE', charge.key, '-inf', integer(charge.time - charge.longest))
  redis.call('PEXPIRE', charge.key, charge.longest)
  for i, rule in ipairs(charge.rules) do
    local answered = charge.answers[i]
    answered.remaining = answered.remaining - charge.cost
    if answered.reset == 0 then answered.reset = charge.time + rule.window - now end
  end
end

return { ask = ask, take = take }
