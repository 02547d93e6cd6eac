-- Purpose: the fixed window counter: consecutive windows, each of which admits at most the limit. Up to twice the limit
--   may pass across a boundary.
-- KEYS: none of its own; driver.lua passes it a charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, boundaries: their number, then each as an instant in milliseconds, ascending.
-- RETURNS: { read, ask, take, refund } as driver.lua describes them.
-- Keys written: charge.key, a string of three doubles for each rule: the instants in milliseconds of its window's first
--   charge and of its end, and the permits charged. It expires when the last window ends (charge.life).

local packed = use('packed')
local load, save, pack, unpack = packed.load, packed.save, struct.pack, struct.unpack

local MOST = 2 ^ 53

-- The instant at which a window that begins now ends: the next boundary. Before the first and after the last boundary,
-- windows of `windowMs` are counted from that one.
local function endAt(rule, now)
  local from
  for i, boundary in ipairs(rule.boundaries) do
    from = boundary
    if boundary > now then
      if i > 1 then return boundary end
      break
    end
  end
  if not from then return now + rule.window end
  return from + (math.floor((now - from) / rule.window) + 1) * rule.window
end

local function read(number)
  local rule = {
    limit = number(), window = number(), boundaries = {}, block = 0, remaining = 0, reset = 0, wait = 0, delay = 0,
    since = 0, ends = 0, count = 0,
  }
  for i = 1, number() do rule.boundaries[i] = number() end
  return rule
end

-- Loads each rule's window. False where none is stored, or where an end or a count is no number that this script
-- writes.
local function recall(charge)
  local rules, place = charge.rules, 1
  local text = load(charge.key, 3 * #rules)
  if not text then return false end
  for i = 1, #rules do
    local rule, since, ends, count = rules[i], nil, nil, nil
    since, ends, count, place = unpack('<ddd', text, place)
    -- NaN and infinity fail here too: their remainder is not 0.
    if not (ends < MOST and count < MOST and count >= 0 and ends % 1 == 0 and count % 1 == 0) then return false end
    rule.since, rule.ends, rule.count = since, ends, count
  end
  return true
end

local function keep(charge, milliseconds)
  local text, rules = '', charge.rules
  for i = 1, #rules do
    local rule = rules[i]
    local own = pack('<ddd', rule.since, rule.ends, rule.count)
    text = i == 1 and own or text .. own
  end
  save(charge.key, text, milliseconds)
end

-- A window lasts until its end, even when the clock steps back. `since` is its first charge and not its boundary, so
-- that a refund of a charge that an earlier window counted is recognised.
local function ask(charge, now)
  local rules, cost, life, passes, isKept = charge.rules, charge.cost, 0, true, recall(charge)
  for i = 1, #rules do
    local rule = rules[i]
    if not isKept or now >= rule.ends then rule.since, rule.ends, rule.count = now, endAt(rule, now), 0 end
    local count, left = rule.count, rule.ends - now
    local room = rule.limit - count
    rule.remaining = room > 0 and room or 0
    rule.reset = count == 0 and 0 or left
    if cost <= room then
      rule.wait = 0
    else
      rule.wait, passes = left, false
    end
    if left > life then life = left end
  end
  charge.life = life
  return passes
end

local function take(charge, now)
  local rules, cost = charge.rules, charge.cost
  for i = 1, #rules do
    local rule = rules[i]
    local count = rule.count + cost
    local room = rule.limit - count
    rule.count, rule.remaining, rule.reset, rule.wait = count, room > 0 and room or 0, rule.ends - now, 0
  end
  keep(charge, charge.life)
end

-- Only a window that has not ended is refunded, and a missing key is not created.
local function refund(charge, now, at)
  if not recall(charge) then return end
  local last, isChanged = 0, false
  for _, rule in ipairs(charge.rules) do
    last = math.max(last, rule.ends)
    if rule.since <= at and at < rule.ends and now < rule.ends then
      rule.count = math.max(0, rule.count - charge.cost)
      isChanged = true
    end
  end
  if isChanged then keep(charge, last - now) end
end

return { read = read, ask = ask, take = take, refund = refund }
