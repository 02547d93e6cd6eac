-- Purpose: the main program: performs the operations of one trip in order, each by itself. It is the last part of the
--   script (server/limits/stores/redis/lua-script.ts): before it are `now`, which clock.lua returned, and use(name), which
--   runs the file of that name when it is first needed and returns what that file returns.
-- KEYS: for each charge of each operation in turn its key and, where one of its rules blocks and it enforces, and always
--   in a reset, the key of its blocks. The keys of one operation differ. On a Cluster all keys have one hash tag.
-- ARGV: first a string with one character for each operation, which names its kind: '!' is the first kind, '"' the
--   second, and so on in ASCII. Operations of one kind differ only in their keys. Then the kinds, one after the other:
--   type, number of charges; for each charge: in a refund the instant at which it was charged, then algorithm, mode
--   (or 'trial/' and the name of its set), cost, number of rules; for each rule: its block in milliseconds (0: none),
--   then the arguments that the file of the algorithm reads.
-- RETURNS: first one string of 8-byte little-endian doubles: the time in milliseconds, then for each rule of each
--   charge of each operation four integers: permits remaining, milliseconds until the next come back (0: all are
--   there), milliseconds until the rule passes (0: it does), milliseconds until the call's turn. A refund, a reset and
--   an operation that failed have none. A call is allowed when all waits of its enforcing charges are 0. Then, for each
--   operation that failed, its place (from 1) and its error as text.
-- Keys written: those of KEYS, as the files of the algorithms say. A key expires when it would mean the same as a
--   missing one. A refusal repairs a key that has no expiry, or too long a one, so that nobody is locked out for ever.
--
-- The file of an algorithm, which has its name, returns a table of functions:
--   read(number, word) reads the arguments of a rule and returns the rule.
--   ask(charge, now) sets `remaining`, `reset`, `wait` and `delay` of each rule, as in RETURNS, and charge.life, the
--     longest expiry of the key in milliseconds; returns whether every `wait` is 0. It writes nothing, but may delete
--     what is invalid.
--   stand(charge, now) is optional and sets `remaining` and `reset`, which `ask` leaves out then. It is called after an
--     `ask` that no `take` follows; `take` sets them anyway.
--   take(charge, now) takes the charge that was asked just before, and sets `remaining`, `reset` and `wait`
--     accordingly.
--   refund(charge, now, at) gives back what was charged at the instant `at`.
-- The tables of a charge and its rules are reused by all operations of their kind: anything a file keeps in them belongs
-- to the operation that was asked last.

-- Locals, because a look-up of a global for each operation is slower.
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
    charge.isBlocking = charge.isBlocking or block > 0 and charge.mode == 'enforce'
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

-- After an operation that failed, goes on with the next.
repeat
  local done, problem = pcall(run)
  if not done then
    errors[#errors + 1] = place
    errors[#errors + 1] = type(problem) == 'table' and problem.err or tostring(problem)
  end
until done
return { table.concat(pieces), unpack(errors) }
