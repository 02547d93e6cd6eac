-- Purpose: the sliding window log. Every admitted charge is logged for the longest window, so that no window at any
--   position exceeds its limit. An entry counts while it is younger than the window.
-- KEYS: none of its own; driver.lua passes it a charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs.
-- RETURNS: { read, ask, take, refund } as driver.lua describes them.
-- Keys written: charge.key, a ZSET with one member for each charge, scored by its time in milliseconds, shared by all
--   windows. It expires one longest window (charge.life) after the last charge.
--
-- A member is the running total of permits, after a letter for its number of digits, so that the members of one
-- millisecond sort by total: a1 b10 b12:2, the last for a cost of 2. The permits in a window are then the difference of
-- two totals. Entries older than the longest window are removed when one is added, not when asked: a refusal writes
-- nothing.

local call, get, tonumber, format, max = redis.call, redis.pcall, tonumber, string.format, math.max

-- Texts by total and parsed members by text: the subjects of a trip have many totals in common.
local members, totals, costs = {}, {}, {}

local function memberOf(total, cost)
  local member = members[total]
  if not member then
    local digits = format('%d', total)
    member = string.char(96 + #digits) .. digits
    members[total] = member
  end
  return cost == 1 and member or format('%s:%d', member, cost)
end

-- The total and cost of a member; a total of 0 for one that this script did not write.
local function parse(member)
  local total = totals[member]
  if not total then
    local digits, cost = string.match(member, '^%l(%d+):?(%d*)$')
    total = tonumber(digits) or 0
    totals[member], costs[member] = total, cost ~= '' and tonumber(cost) or 1
  end
  return total, costs[member]
end

-- The total and time of the last entry, nil for none. Deletes a key that holds anything else.
local function lastOf(key)
  local last = get('ZRANGE', key, '-1', '-1', 'WITHSCORES')
  local member = last[1]
  if not member and not last.err then return nil end
  local total, at = member and parse(member) or 0, tonumber(last[2])
  if total > 0 and total < 2 ^ 53 and at < 2 ^ 53 then return total, at end
  call('DEL', key)
end

-- The time of the entry that brings the running total to `total`: a binary search over the ranks.
local function timeOfTotal(key, total)
  local low, high = 0, call('ZCARD', key) - 1
  while low < high do
    local middle = math.floor((low + high) / 2)
    if parse(call('ZRANGE', key, middle, middle)[1]) >= total then high = middle else low = middle + 1 end
  end
  return tonumber(call('ZRANGE', key, low, low, 'WITHSCORES')[2])
end

-- The first entry after an instant, nil for none. Most often it is the first of all, which `ask` has loaded.
local function firstAfter(charge, instant)
  if charge.firstAt > instant then return charge.first, charge.firstAt end
  if charge.lastAt <= instant then return nil end
  local after = format('(%d', instant)
  local first = call('ZRANGEBYSCORE', charge.key, after, '+inf', 'WITHSCORES', 'LIMIT', '0', '1')
  return first[1], tonumber(first[2])
end

-- The answer of a rule whose window is empty. A cost above the limit, possible only in shadow and degrade mode, never
-- passes.
local function unused(charge, rule)
  rule.remaining, rule.reset, rule.wait = rule.limit, 0, 0
  if charge.cost <= rule.limit then return true end
  rule.wait = rule.window
  return false
end

local function answer(charge, now, rule)
  local first, firstAt = firstAfter(charge, charge.time - rule.window)
  if not first then return unused(charge, rule) end
  local total, cost = parse(first)
  local free = rule.limit - (charge.total - (total - cost))
  rule.remaining, rule.reset, rule.wait = max(0, free), firstAt + rule.window - now, 0
  if free >= charge.cost then return true end
  local last = total - cost + charge.cost - free
  rule.wait = (last <= total and firstAt or timeOfTotal(charge.key, last)) + rule.window - now
  return rule.wait == 0
end

local function read(number)
  return { limit = number(), window = number(), block = 0, remaining = 0, reset = 0, wait = 0, delay = 0 }
end

local function ask(charge, now)
  local rules, longest = charge.rules, 0
  for i = 1, #rules do longest = max(longest, rules[i].window) end
  charge.life = longest
  local total, lastAt = lastOf(charge.key)
  if not total or lastAt <= now - longest then
    local passes = true
    for i = 1, #rules do
      if not unused(charge, rules[i]) then passes = false end
    end
    charge.total, charge.time, charge.firstAt = 0, now, lastAt or now
    return passes
  end
  local first = call('ZRANGE', charge.key, '0', '0', 'WITHSCORES')
  charge.total, charge.lastAt, charge.first, charge.firstAt = total, lastAt, first[1], tonumber(first[2])
  -- When the clock has stepped back, the time of the last entry is used instead: entries stay in order, and no wait is
  -- negative.
  charge.time = max(now, lastAt)
  local passes = true
  for i = 1, #rules do
    if not answer(charge, now, rules[i]) then passes = false end
  end
  return passes
end

local function take(charge, now)
  local key, cost, time = charge.key, charge.cost, charge.time
  -- The first write may fail with OOM; once a script has written, Redis lets it go on. So this one comes first.
  call('ZADD', key, format('%d', time), memberOf(charge.total + cost, cost))
  local old = time - charge.life
  if charge.firstAt <= old then call('ZREMRANGEBYSCORE', key, '-inf', format('%d', old)) end
  local rules = charge.rules
  for i = 1, #rules do
    local rule = rules[i]
    rule.remaining, rule.wait = max(0, rule.remaining - cost), 0
    if rule.reset == 0 then rule.reset = time + rule.window - now end
  end
  call('PEXPIRE', key, format('%d', charge.life))
end

-- Calls a command with a list in pieces: one that is too long would overflow the Lua stack.
local function inPieces(command, key, list)
  for first = 1, #list, 4000 do
    call(command, key, unpack(list, first, math.min(first + 3999, #list)))
  end
end

-- Takes the permits from any entries of that instant, which all count alike, and rewrites the later entries with lower
-- totals.
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
