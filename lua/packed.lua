-- Purpose: numbers in one string: eight bytes each, exact, and small enough that Redis keeps key and value in one piece.
-- KEYS, ARGV: none of its own; a caller names the key.
-- RETURNS: { bytesOf, load, save }. bytesOf(numbers) is the string. load(key, count) gives `count` whole numbers as
--   a list, nil where the key holds nothing or anything else. save(key, numbers, milliseconds) keeps them for so long.
-- Keys written: the one that save names; it expires after the milliseconds, at least 1.

local read, call, pack, unpackBytes = redis.pcall, redis.call, struct.pack, struct.unpack
local unpack, type, ceil, format = unpack, type, math.ceil, string.format

local formats = {}

local function formatOf(count)
  local known = formats[count]
  if not known then
    known = '<' .. string.rep('d', count)
    formats[count] = known
  end
  return known
end

-- In pieces, for a list may be longer than what Lua puts on its stack.
local function bytesOf(numbers)
  local count = #numbers
  if count <= 4000 then return pack(formatOf(count), unpack(numbers)) end
  local pieces = {}
  for first = 1, count, 4000 do
    local last = math.min(first + 3999, count)
    pieces[#pieces + 1] = pack(formatOf(last - first + 1), unpack(numbers, first, last))
  end
  return table.concat(pieces)
end

local function load(key, count)
  local text = read('GET', key)
  if type(text) ~= 'string' or #text ~= 8 * count then return nil end
  local numbers = { unpackBytes(formatOf(count), text) }
  -- Behind them it gives the place where it ended.
  numbers[count + 1] = nil
  for i = 1, count do
    local number = numbers[i]
    if not (number >= 0 and number < 2 ^ 53 and number % 1 == 0) then return nil end
  end
  return numbers
end

local function save(key, numbers, milliseconds)
  -- As text, which Redis takes faster than a number.
  local life = milliseconds > 1 and format('%d', ceil(milliseconds)) or '1'
  call('SET', key, bytesOf(numbers), 'PX', life)
end

return { bytesOf = bytesOf, load = load, save = save }
