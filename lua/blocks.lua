-- Purpose: blocks (`blockFor`): a rule that has refused once goes on to refuse everything for a while.
-- KEYS, ARGV: none of its own. It is passed a charge with a `blockKey`, whose rules have a `block` in milliseconds (0:
--   none).
-- RETURNS: { ask, refuse }. ask(charge, now) applies the blocks to the rules: a blocked one has nothing remaining and
--   waits at least until its block ends; returns whether no rule is blocked. refuse(charge, now) begins the block of
--   each rule that refused and is not blocked yet.
-- Keys written: charge.blockKey, a string of one double for each rule: the instant in milliseconds at which its block
--   ends, 0 for none. It expires when the last block ends.

local packed = use('packed')

local function load(charge)
  local count = #charge.rules
  local text, untils = packed.load(charge.blockKey, count), {}
  if not text then return nil end
  for i = 1, count do
    untils[i] = struct.unpack('<d', text, 8 * i - 7)
    if not packed.isWhole(untils[i]) then return nil end
  end
  return untils
end

local function save(charge, milliseconds)
  local pieces = {}
  for i, ends in ipairs(charge.untils) do pieces[i] = struct.pack('<d', ends) end
  packed.save(charge.blockKey, table.concat(pieces), milliseconds)
end

local function wait(charge, now)
  local isBlocked = false
  for i, rule in ipairs(charge.rules) do
    local left = rule.block > 0 and charge.untils[i] - now or 0
    if left > 0 then
      isBlocked = true
      rule.remaining, rule.reset, rule.wait = 0, math.max(rule.reset, left), math.max(rule.wait, left)
    end
  end
  return isBlocked
end

local function ask(charge, now)
  charge.untils = load(charge)
  return not (charge.untils and wait(charge, now))
end

local function refuse(charge, now)
  local untils, last = charge.untils, 0
  for i, rule in ipairs(charge.rules) do
    if rule.block > 0 and rule.wait > 0 and (not untils or untils[i] <= now) then
      if not untils then
        untils = {}
        for each = 1, #charge.rules do untils[each] = 0 end
      end
      untils[i] = now + rule.block
      charge.untils, last = untils, math.max(last, untils[i])
    end
  end
  if last == 0 then return end
  for _, ends in ipairs(untils) do last = math.max(last, ends) end
  save(charge, last - now)
  wait(charge, now)
end

return { ask = ask, refuse = refuse }
