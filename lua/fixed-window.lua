-- Purpose: the fixed window counter. Windows lie side by side, and each holds at most its limit; across a border up to
--   twice as many pass.
-- KEYS: none of its own; driver.lua hands it one charge: key, cost, rules. `packed` is what packed.lua returned.
-- ARGV, of each rule: limit, windowMs, boundaries: their number, then each as an instant in milliseconds, ascending.
-- RETURNS: { read, ask, take, refund }. read(number, word) reads a rule. ask(charge, now) gives an answer (remaining,
--   reset, wait) for each rule; the driver keeps them in the charge as `answers`. take(charge, now) charges and brings
--   them up to date. refund(charge, now, at) gives back what was charged at the instant `at`.
-- Keys written: charge.key, for each rule three numbers: the instants in milliseconds of its window's first charge and of
--   its end, and the permits charged. It expires with the last window (charge.life).

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

-- The window of each rule: the one that is kept until it ends, even where time has stepped back, else a new one. `since`
-- is its first charge and not its border, so that nothing is given back that another window counted.
local function windowsOf(charge, now)
  local kept = packed.load(charge.key, 3 * #charge.rules)
  local windows = {}
  for i, rule in ipairs(charge.rules) do
    if kept and now < kept[3 * i - 1] then
      windows[i] = { since = kept[3 * i - 2], ends = kept[3 * i - 1], count = kept[3 * i] }
    else
      windows[i] = { since = now, ends = endAt(rule, now), count = 0 }
    end
  end
  return windows
end

local function save(key, numbers, now)
  local last = 0
  for i = 2, #numbers, 3 do last = math.max(last, numbers[i]) end
  packed.save(key, numbers, last - now)
end

local function read(number)
  local rule = { limit = number(), window = number(), boundaries = {} }
  for i = 1, number() do rule.boundaries[i] = number() end
  return rule
end

local function ask(charge, now)
  local answers = {}
  charge.windows, charge.life = windowsOf(charge, now), 0
  for i, rule in ipairs(charge.rules) do
    local window = charge.windows[i]
    local left = window.ends - now
    answers[i] = {
      remaining = math.max(0, rule.limit - window.count),
      reset = window.count == 0 and 0 or left,
      wait = window.count + charge.cost <= rule.limit and 0 or left,
    }
    charge.life = math.max(charge.life, left)
  end
  return answers
end

local function take(charge, now)
  local numbers = {}
  for i, rule in ipairs(charge.rules) do
    local window, answer = charge.windows[i], charge.answers[i]
    local count = window.count + charge.cost
    numbers[3 * i - 2], numbers[3 * i - 1], numbers[3 * i] = window.since, window.ends, count
    answer.remaining, answer.reset, answer.wait = math.max(0, rule.limit - count), window.ends - now, 0
  end
  save(charge.key, numbers, now)
end

-- What an ended window counted matters to nobody, and a key that is not there stays so.
local function refund(charge, now, at)
  local kept, isChanged = packed.load(charge.key, 3 * #charge.rules) or {}, false
  for i = 1, #kept, 3 do
    local since, ends, count = kept[i], kept[i + 1], kept[i + 2]
    if since <= at and at < ends and now < ends then
      kept[i + 2] = math.max(0, count - charge.cost)
      isChanged = true
    end
  end
  if isChanged then save(charge.key, kept, now) end
end

return { read = read, ask = ask, take = take, refund = refund }
