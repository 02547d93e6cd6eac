-- Purpose: the fixed window counter. Windows lie side by side, and each holds at most its limit; across a border up to
--   twice as many pass.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules.
-- ARGV, of each rule: limit, windowMs, boundaries: their number, then each as an instant in milliseconds, ascending.
-- RETURNS: { read, ask, take, refund } as driver.lua calls them.
-- Keys written: charge.key, for each rule three numbers: the instants in milliseconds of its window's first charge and of
--   its end, and the permits charged. It expires with the last window (charge.life).

local packed = use('packed')
local load, save = packed.load, packed.save

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
  local rule = { limit = number(), window = number(), boundaries = {}, block = 0, remaining = 0, reset = 0, wait = 0 }
  for i = 1, number() do rule.boundaries[i] = number() end
  return rule
end

-- A window is kept until it ends, even where time has stepped back; then comes a new one. It begins with its first charge
-- and not at its border, so that nothing is given back that another window counted.
local function ask(charge, now)
  local rules, cost, life = charge.rules, charge.cost, 0
  local kept = load(charge.key, 3 * #rules)
  local windows = kept or {}
  for i = 1, #rules do
    local rule, place = rules[i], 3 * i
    if not kept or now >= kept[place - 1] then
      windows[place - 2], windows[place - 1], windows[place] = now, endAt(rule, now), 0
    end
    local count, left = windows[place], windows[place - 1] - now
    local room = rule.limit - count
    rule.remaining = room > 0 and room or 0
    rule.reset = count == 0 and 0 or left
    rule.wait = cost <= room and 0 or left
    if left > life then life = left end
  end
  charge.windows, charge.life = windows, life
end

local function take(charge, now)
  local rules, windows, cost = charge.rules, charge.windows, charge.cost
  for i = 1, #rules do
    local rule, place = rules[i], 3 * i
    local count = windows[place] + cost
    windows[place] = count
    local room = rule.limit - count
    rule.remaining, rule.reset, rule.wait = room > 0 and room or 0, windows[place - 1] - now, 0
  end
  save(charge.key, windows, charge.life)
end

-- What an ended window counted matters to nobody, and a key that is not there stays so.
local function refund(charge, now, at)
  local kept, last, isChanged = packed.load(charge.key, 3 * #charge.rules) or {}, 0, false
  for i = 1, #kept, 3 do
    local since, ends, count = kept[i], kept[i + 1], kept[i + 2]
    last = math.max(last, ends)
    if since <= at and at < ends and now < ends then
      kept[i + 2] = math.max(0, count - charge.cost)
      isChanged = true
    end
  end
  if isChanged then save(charge.key, kept, last - now) end
end

return { read = read, ask = ask, take = take, refund = refund }
