-- Purpose: the sliding window log. Every admitted charge is remembered for the longest window, so that no window
--   of any position holds more than its limit. An entry counts while it is younger than the window.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs.
-- RETURNS: { read, ask, take, refund }. read(number, word) reads a rule. ask(charge, now) gives an answer (remaining,
--   reset, wait) for each rule; the driver keeps them in the charge as `answers`. take(charge, now) charges and brings
--   them up to date. refund(charge, now, at) gives back what was charged at the instant `at`.
-- Keys written: charge.key, a ZSET of one member a charge, scored by its time in milliseconds, for all windows alike.
--   It expires one longest window (charge.life) after the last charge.
--
-- A member is the running total of permits, behind a letter for its number of digits, so that members of one millisecond
-- sort by total: a1 b10 b12:2, the last for a cost of 2. What a window holds is then a difference of two totals.
-- Entries older than the longest window go when one is added, and not when asked: a refusal writes nothing.

local function memberOf(total, cost)
  local digits = string.format('%.0f', total)
  local member = string.char(96 + #digits) .. digits
  return cost == 1 and member or string.format('%s:%.0f', member, cost)
end

-- Of a member that nobody of us wrote a total of 0.
local function parse(member)
  local total, cost = string.match(member, '^%l(%d+):?(%d*)$')
  return tonumber(total) or 0, tonumber(cost) or 1
end

-- The total and time of the last entry, nil for none. Anything else under the key is no history and goes.
local function lastOf(key)
  local last = redis.pcall('ZRANGE', key, -1, -1, 'WITHSCORES')
  local total, at = not last.err and last[1] and parse(last[1]) or 0, tonumber(last[2])
  if total > 0 and total < 2 ^ 53 and at < 2 ^ 53 then return total, at end
  if last.err or last[1] then redis.call('DEL', key) end
end

-- The time of the entry that brings the running total to `total`: a search by halves over the ranks.
local function timeOfTotal(key, total)
  local low, high = 0, redis.call('ZCARD', key) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if parse(redis.call('ZRANGE', key, middle, middle)[1]) >= total then high = middle else low = middle + 1 end
  end
  return tonumber(redis.call('ZRANGE', key, low, low, 'WITHSCORES')[2])
end

-- The first entry after an instant: most often the first of all, which is at hand. Nil for none.
local function firstAfter(key, state, instant)
  if state.firstAt > instant then return state.firstMember, state.firstAt end
  if state.lastAt <= instant then return nil end
  local after = string.format('(%.0f', instant)
  local first = redis.call('ZRANGEBYSCORE', key, after, '+inf', 'WITHSCORES', 'LIMIT', 0, 1)
  return first[1], tonumber(first[2])
end

local function answer(charge, now, state, rule)
  local limit, window = rule.limit, rule.window
  local first, firstAt = firstAfter(charge.key, state, state.time - window)
  if not first then return { remaining = limit, reset = 0, wait = 0 } end
  local total, cost = parse(first)
  local before = total - cost
  local free = limit - (state.total - before)
  local wait = 0
  if free < charge.cost then wait = timeOfTotal(charge.key, before + charge.cost - free) + window - now end
  return { remaining = math.max(0, free), reset = firstAt + window - now, wait = wait }
end

local function read(number)
  return { limit = number(), window = number() }
end

local function ask(charge, now)
  local answers, longest = {}, 0
  for _, rule in ipairs(charge.rules) do longest = math.max(longest, rule.window) end
  charge.life = longest
  local total, lastAt = lastOf(charge.key)
  if not total or lastAt <= now - longest then
    for i, rule in ipairs(charge.rules) do answers[i] = { remaining = rule.limit, reset = 0, wait = 0 } end
    charge.state = { total = 0, time = now, firstAt = lastAt or now }
    return answers
  end
  local first = redis.call('ZRANGE', charge.key, 0, 0, 'WITHSCORES')
  -- Time that steps back counts as the time of the last entry: nothing is reordered, and no wait is negative.
  local time = math.max(now, lastAt)
  local state = { total = total, time = time, lastAt = lastAt, firstMember = first[1], firstAt = tonumber(first[2]) }
  charge.state = state
  for i, rule in ipairs(charge.rules) do answers[i] = answer(charge, now, state, rule) end
  return answers
end

local function take(charge, now)
  local cost, state = charge.cost, charge.state
  -- First, for this is where a full Redis refuses a script, which it does not do once something was written.
  redis.call('ZADD', charge.key, state.time, memberOf(state.total + cost, cost))
  local old = state.time - charge.life
  if state.firstAt <= old then redis.call('ZREMRANGEBYSCORE', charge.key, '-inf', old) end
  for i, rule in ipairs(charge.rules) do
    local taken = charge.answers[i]
    taken.remaining = math.max(0, taken.remaining - cost)
    taken.wait = 0
    if taken.reset == 0 then taken.reset = state.time + rule.window - now end
  end
  redis.call('PEXPIRE', charge.key, charge.life)
end

-- Calls a command with a list that may be longer than what Lua puts on its stack.
local function inPieces(command, key, list)
  for first = 1, #list, 4000 do
    redis.call(command, key, unpack(list, first, math.min(first + 3999, #list)))
  end
end

-- Entries of one instant count alike, so it matters only how many permits that instant keeps. Those after it are
-- written anew with lower totals.
local function refund(charge, _, at)
  local found = redis.pcall('ZRANGEBYSCORE', charge.key, at, '+inf', 'WITHSCORES')
  if found.err or tonumber(found[2]) ~= at then return end
  local left, total = charge.cost, nil
  local kept, gone = {}, {}
  for i = 1, #found, 2 do
    local ownTotal, cost = parse(found[i])
    total = total or ownTotal - cost
    local returned = tonumber(found[i + 1]) == at and math.min(cost, left) or 0
    left = left - returned
    gone[found[i]] = true
    if cost > returned then
      total = total + cost - returned
      local member = memberOf(total, cost - returned)
      kept[#kept + 1], kept[#kept + 2] = found[i + 1], member
    end
  end
  for i = 2, #kept, 2 do gone[kept[i]] = nil end
  local removed = {}
  for member in pairs(gone) do removed[#removed + 1] = member end
  inPieces('ZADD', charge.key, kept)
  inPieces('ZREM', charge.key, removed)
end

return { read = read, ask = ask, take = take, refund = refund }
