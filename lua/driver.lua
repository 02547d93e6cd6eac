-- Purpose: the operations of one trip, in order, each by itself. Stands behind the other files: `now` is what clock.lua
--   returned, and use(name) gives what the file of that name returned, which runs when it is first asked for: what a trip
--   does not need costs it nothing.
-- KEYS: for each charge of each operation in turn its key, then, where one of its rules blocks and always in a reset, that
--   of its blocks. Those of one operation differ. On a Cluster all have one hash tag.
-- ARGV: first a string of one character for each operation, which says of what kind it is: '!' of the first, '"' of the
--   second, and so on in ASCII. Operations of one kind differ by their keys alone. Then the kinds, one after the other: type,
--   number of charges; for each charge: in a refund the instant at which it was charged, then algorithm, mode, cost, number of
--   rules; for each rule: its block in milliseconds (0: none), then what the algorithm's fragment reads.
-- RETURNS: first all numbers in one string, as doubles of eight bytes: the time in milliseconds; then for each rule of each
--   charge of each operation four integers: permits remaining, milliseconds until the next come back (0: all are there),
--   milliseconds until the rule passes (0: it does), milliseconds until the call's turn; none of a refund, of a reset, and
--   of an operation that failed. A call is allowed when all waits of its charges that enforce are 0. Behind the numbers,
--   for each operation that failed, its place (1 is the first) and its error as text.
-- Keys written: those of KEYS, as the fragments say. Each expires when it would say what a missing one does; one that a
--   refusal finds without expiry, or with a longer one, is mended, so that nobody is locked out for ever.
--
-- The fragment of an algorithm, a file by its name, returns a table of functions:
--   read(number, word) reads the arguments of a rule, and returns the rule.
--   ask(charge, now) changes nothing. It sets `remaining`, `reset`, `wait` and `delay` of each rule, in the terms of RETURNS, and
--     charge.life, the milliseconds that the key may live at most; and returns whether every `wait` is 0.
--   stand(charge, now), which not all have: where it is, `ask` leaves `remaining` and `reset` to it. It is called behind an
--     `ask` that no `take` follows, for a `take` sets them anew.
--   take(charge, now) charges what was asked just before, and sets `remaining`, `reset` and `wait` as they are then.
--   refund(charge, now, at) gives back what was charged at the instant `at`.
-- A charge and its rules serve one operation of their kind after the other: whatever else a fragment keeps in them is of the
-- operation that was asked last.

-- Looked up once, not by name for every operation.
local KEYS, ARGV, tonumber, byte, pack = KEYS, ARGV, tonumber, string.byte, struct.pack

local argument, key = 1, 0

local function word()
  argument = argument + 1
  return ARGV[argument]
end

local function number()
  argument = argument + 1
  return tonumber(ARGV[argument])
end

local function readCharge(type)
  local at = type == 'refund' and number()
  local algorithm = use(word())
  local charge = {
    at = at, algorithm = algorithm, mode = word(), cost = number(), rules = {}, isBlocking = type == 'reset', key = '',
    life = 0,
  }
  for i = 1, number() do
    local block = number()
    local rule = algorithm.read(number, word)
    rule.block = block
    charge.rules[i] = rule
    charge.isBlocking = charge.isBlocking or block > 0
  end
  return charge
end

local kinds = {}
while argument < #ARGV do
  local type = word()
  local charges = {}
  for i = 1, number() do charges[i] = readCharge(type) end
  local isPlain = type == 'take' and #charges == 1 and not charges[1].isBlocking
  local perform = isPlain and use('take-one') or use('operations').perform[type]
  kinds[#kinds + 1] = { perform = perform, charges = charges, isAnswered = type ~= 'refund' and type ~= 'reset' }
end

local pieces, length, errors = { pack('<d', now) }, 1, {}

local order, place = ARGV[1], 0

local function run()
  for i = place + 1, #order do
    place = i
    local kind = kinds[byte(order, i) - 32]
    local charges = kind.charges
    for j = 1, #charges do
      local charge = charges[j]
      key = key + 1
      charge.key = KEYS[key]
      if charge.isBlocking then
        key = key + 1
        charge.blockKey = KEYS[key]
      end
    end
    kind.perform(charges)
    if kind.isAnswered then
      for j = 1, #charges do
        local rules = charges[j].rules
        for k = 1, #rules do
          local rule = rules[k]
          length = length + 1
          pieces[length] = pack('<dddd', rule.remaining, rule.reset, rule.wait, rule.delay)
        end
      end
    end
  end
end

-- Behind an operation that failed it goes on.
repeat
  local done, problem = pcall(run)
  if not done then
    errors[#errors + 1] = place
    errors[#errors + 1] = type(problem) == 'table' and problem.err or tostring(problem)
  end
until done
return { table.concat(pieces), unpack(errors) }
