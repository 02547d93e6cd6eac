-- Purpose: limits concurrent calls. Each call holds a lease, which its process renews while the call lasts and removes
--   when it ends, so that a process that died holds its places for one lease at most. A lease counts until the instant
--   it ends.
-- KEYS: none of its own; driver.lua passes it a charge: key, rules.
-- ARGV, of each rule: limit, windowMs, lease. Rules of one key have one windowMs, which is how long a lease lasts, and
--   one lease, which is its name.
-- RETURNS: { read, ask, take, refund } as driver.lua describes them: take begins or renews the lease, refund ends it.
-- Keys written: charge.key, a ZSET of lease names, scored by the instants in milliseconds at which the leases end. It
--   expires one lease (charge.life) after the last was begun or renewed.

local function after(instant)
  return string.format('(%.0f', instant)
end

-- The instant at which the last lease ends, nil for none. Deletes a key that holds anything else than leases.
local function lastEnd(key)
  local last = redis.pcall('ZRANGE', key, -1, -1, 'WITHSCORES')
  local ends = tonumber(last[2])
  if ends and ends < 2 ^ 53 then return ends end
  if last.err or ends then redis.call('DEL', key) end
end

local function endOf(key, place)
  return tonumber(redis.call('ZRANGE', key, place, place, 'WITHSCORES')[2])
end

local function read(number, word)
  return { limit = number(), window = number(), lease = word(), block = 0, remaining = 0, reset = 0, wait = 0, delay = 0 }
end

local function ask(charge, now)
  local key, rule = charge.key, charge.rules[1]
  charge.life = rule.window
  local last = lastEnd(key)
  -- When the clock has stepped back, the time at which the last lease was taken is used instead: so no lease ends early
  -- once the clock is right again.
  charge.time = last and math.max(now, last - rule.window) or now
  local live = last and redis.call('ZCOUNT', key, after(charge.time), '+inf') or 0
  if live == 0 then
    for _, each in ipairs(charge.rules) do each.remaining, each.reset, each.wait = each.limit, 0, 0 end
    return true
  end
  local dead = redis.call('ZCARD', key) - live
  local own = tonumber(redis.call('ZSCORE', key, rule.lease))
  local isOwn = own and own > charge.time
  local reset, passes = endOf(key, dead) - now, true
  for _, each in ipairs(charge.rules) do
    local wait = 0
    if live >= each.limit and not isOwn then wait = endOf(key, dead + live - each.limit) - now end
    if wait > 0 then passes = false end
    each.remaining, each.reset, each.wait = math.max(0, each.limit - live), reset, wait
  end
  return passes
end

local function take(charge, now)
  local key, rule = charge.key, charge.rules[1]
  -- The first write may fail with OOM; once a script has written, Redis lets it go on. So this one comes first.
  redis.call('ZADD', key, charge.time + rule.window, rule.lease)
  redis.call('ZREMRANGEBYSCORE', key, '-inf', charge.time)
  redis.call('PEXPIRE', key, charge.life)
  local live, reset = redis.call('ZCARD', key), endOf(key, 0) - now
  for _, each in ipairs(charge.rules) do
    each.remaining, each.reset, each.wait = math.max(0, each.limit - live), reset, 0
  end
end

local function refund(charge)
  redis.pcall('ZREM', charge.key, charge.rules[1].lease)
end

return { read = read, ask = ask, take = take, refund = refund }
