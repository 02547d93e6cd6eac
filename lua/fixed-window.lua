-- Purpose: the fixed window counter. Windows lie side by side, and each holds at most its limit; across a border up to
--   twice as many pass.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, boundaries: their number, then each as an instant in milliseconds, ascending.
-- RETURNS: { read, ask, take, refund } as driver.lua calls them.
-- Keys written: charge.key, for each rule three numbers: the instants in milliseconds of its window's first charge and of
--   its end, and the permits charged. It expires with the last window (charge.life).

local packed = use('packed')
local load, save, pack, unpack = packed.load, packed.save, struct.pack, struct.unpack

local MOST = 2 ^ 53

-- When a window ends that begins now: at the next boundary; before the first and behind the last of them, windows lie side
-- by side from there.
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

-- Gives each rule the window that is kept for it. False where none is, or where an end or a count is no number that these
-- scripts write.
local function recall(charge)
  local rules, place = charge.rules, 1
  local text = load(charge.key, 3 * #rules)
  if not text then return false end
  for i = 1, #rules do
    local rule, since, ends, count = rules[i], nil, nil, nil
    since, ends, count, place = unpack('<ddd', text, place)
    -- What is no number or infinite has no remainder that is 0.
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

-- A window is kept until it ends, even where time has stepped back; then comes a new one. It begins with its first charge
-- and not at its border, so that nothing is given back that another window counted.
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

-- What an ended window counted matters to nobody, and a key that is not there stays so.
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
