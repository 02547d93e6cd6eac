-- Purpose: the operations of one trip, in order, each by itself. To take asks every rule of every charge, and only when
--   all pass takes from all; else from none. Stands behind the other files: `now` is what clock.lua returned, `blocks`
--   what blocks.lua did, `algorithms` maps each algorithm to its functions.
-- KEYS: for each charge in turn its key, then, where one of its rules blocks and always in a reset, that of its blocks.
--   Those of one operation differ. On a Cluster all have one hash tag.
-- ARGV: for each operation in turn: its type, the number of charges; for each charge: in a refund the instant at which it
--   was charged, then algorithm, mode, cost, number of rules; for each rule: its block in milliseconds (0: none), then
--   what the algorithm's fragment reads.
-- RETURNS: the time in milliseconds; then for each operation a list, or, where it failed, its error as text. The list has
--   for each rule of each charge, in order, four integers: permits remaining, milliseconds until the next come back (0:
--   all are there), milliseconds until the rule passes (0: it does), milliseconds until the call's turn. It is empty for
--   a refund or a reset. A call is allowed when all waits of its charges that enforce are 0.
-- Keys written: those of KEYS, as the fragments say. Each expires when it would say what a missing one does; one that a
--   refusal finds without expiry, or with a longer one, is mended, so that nobody is locked out for ever.

local argument, key = 0, 0

local function word()
  argument = argument + 1
  return ARGV[argument]
end

local function number()
  argument = argument + 1
  return tonumber(ARGV[argument])
end

local function nextKey()
  key = key + 1
  return KEYS[key]
end

local function readCharge(type)
  local at = type == 'refund' and number()
  local algorithm = algorithms[word()]
  local charge = { at = at, algorithm = algorithm, mode = word(), cost = number(), rules = {}, key = nextKey() }
  local isBlocking = type == 'reset'
  for i = 1, number() do
    local block = number()
    local rule = algorithm.read(number, word)
    rule.block = block
    charge.rules[i] = rule
    isBlocking = isBlocking or block > 0
  end
  if isBlocking then charge.blockKey = nextKey() end
  return charge
end

local function readOperation()
  local operation = { type = word(), charges = {} }
  for i = 1, number() do operation.charges[i] = readCharge(operation.type) end
  return operation
end

local function ask(charges)
  local passes = { enforce = true, shadow = true, degrade = true }
  for _, charge in ipairs(charges) do
    charge.answers = charge.algorithm.ask(charge, now)
    blocks.ask(charge, now)
    for _, answer in ipairs(charge.answers) do
      if answer.wait > 0 then passes[charge.mode] = false end
    end
  end
  return passes
end

local function mend(charge)
  local left = redis.call('PTTL', charge.key)
  if left == -1 or left > charge.life then redis.call('PEXPIRE', charge.key, charge.life) end
end

local perform = {}

perform.peek = function(charges)
  ask(charges)
end

perform.take = function(charges)
  local passes = ask(charges)
  for _, charge in ipairs(charges) do
    if passes.enforce and passes[charge.mode] then
      charge.algorithm.take(charge, now)
    else
      blocks.refuse(charge, now)
      mend(charge)
    end
  end
end

perform.force = function(charges)
  for _, charge in ipairs(charges) do
    charge.answers = charge.algorithm.ask(charge, now)
    charge.algorithm.take(charge, now)
  end
end

perform.refund = function(charges)
  for _, charge in ipairs(charges) do charge.algorithm.refund(charge, now, charge.at) end
end

perform.reset = function(charges)
  for _, charge in ipairs(charges) do
    redis.call('DEL', charge.key, charge.blockKey)
  end
end

local function answersOf(charges)
  local answers, length = {}, 0
  for _, charge in ipairs(charges) do
    for _, answer in ipairs(charge.answers or {}) do
      answers[length + 1], answers[length + 2] = answer.remaining, answer.reset
      answers[length + 3], answers[length + 4] = answer.wait, answer.delay or 0
      length = length + 4
    end
  end
  return answers
end

-- All are read before the first is done: one that fails leaves the others' places in ARGV as they are.
local operations = {}
while argument < #ARGV do operations[#operations + 1] = readOperation() end

local reply = { now }
for i, operation in ipairs(operations) do
  local done, problem = pcall(perform[operation.type], operation.charges)
  if done then
    reply[i + 1] = answersOf(operation.charges)
  else
    reply[i + 1] = type(problem) == 'table' and problem.err or tostring(problem)
  end
end
return reply
